import { describe, expect, test } from 'vitest';
import { layOut } from '#server/ingest/pdf/layout.ts';
import { readPdf } from '#server/ingest/pdf/read-pdf.ts';
import { launchChromium } from '../../scripts/chromium.ts';
import { hasChromium } from '../e2e/chromium.ts';

const page = (body: string) => `<!doctype html><html lang="en"><title>Settings</title>
  <style>td, th { padding: 4px 10px; text-align: left; vertical-align: top } nav li { list-style: none }</style>
  <h1>Settings</h1><p>The client reads them from its file when it starts.</p>${body}`;

async function blocksOfPrinted(body: string): Promise<[string, string, number?][]> {
  const browser = await launchChromium();
  try {
    const tab = await browser.newPage();
    await tab.setContent(page(body));
    const bytes = new Uint8Array(await tab.pdf({ format: 'A4', tagged: true }));
    const { pages, outline } = await readPdf(bytes, { pagesMax: 10, onPage: () => undefined });
    return layOut(pages, outline).map(
      ({ type, markdown, span }) =>
        [type, markdown, ...(span === undefined ? [] : [span])] as [string, string, number?],
    );
  } finally {
    await browser.close();
  }
}

const rowsOf = (cells: string[][]) => cells.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);

describe.skipIf(!hasChromium)('a page printed by a browser', () => {
  test('keeps its tables, also small ones, with empty cells, and with code beside text', async () => {
    const blocks = await blocksOfPrinted(`
      <table><tr><th>Port</th><th>Use</th></tr>${rowsOf([['8080', 'HTTP']]).join('')}</table><h2>Rights</h2>
      <table><tr><th>Role</th><th>Read</th><th>Write</th></tr>${rowsOf([
        ['Writer', '', 'yes'],
        ['Owner of the space', 'yes', '<p>yes,</p><p>or no</p>'],
      ]).join('')}</table>
      <table><tr><th>Type</th><th>Method</th><th>Description</th></tr>${rowsOf([
        [
          '<code>int</code>',
          '<code>size()</code>',
          'Counts what is there, and reads what has not been read before that.',
        ],
        ['<code>void</code>', '<code>clear(all)</code>', 'Takes everything away.'],
      ]).join('')}</table><p>Text below it.</p>`);
    expect(blocks.slice(2)).toEqual([
      ['table', '| Port | Use |\n| --- | --- |\n| 8080 | HTTP |'],
      ['heading', 'Rights'],
      [
        'table',
        '| Role | Read | Write |\n| --- | --- | --- |\n| Writer |  | yes |\n| Owner of the space | yes | yes, or no |',
      ],
      [
        'table',
        [
          '| Type | Method | Description |\n| --- | --- | --- |',
          '| `int` | `size()` | Counts what is there, and reads what has not been read before that. |',
          '| `void` | `clear(all)` | Takes everything away. |',
        ].join('\n'),
      ],
      ['paragraph', 'Text below it.'],
    ]);
  });

  test('keeps a table that spans two pages as one', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => [`key-${at + 1}`, `What ${at + 1} stands for`]);
    const blocks = await blocksOfPrinted(
      `<table><thead><tr><th>Key</th><th>Meaning</th></tr></thead>${rowsOf(rows).join('')}</table>`,
    );
    const tables = blocks.filter(([type]) => type === 'table').map(([, markdown]) => markdown.split('\n'));
    expect(tables).toHaveLength(1);
    expect(tables[0]?.filter((line) => !line.includes('key-'))).toEqual(['| Key | Meaning |', '| --- | --- |']);
    expect(tables[0]).toHaveLength(62);
  });

  test('keeps lists with drawn bullets, and creates none without bullets', async () => {
    const blocks =
      await blocksOfPrinted(`<nav><ul><li>Contents</ul></nav><ul><li>One that goes over more than a single line of
      the page, as it says what has to be said of it<ul><li>Within it</ul><li>Two</ul>`);
    expect(blocks.slice(2)).toEqual([
      ['paragraph', 'Contents'],
      [
        'list',
        '- One that goes over more than a single line of the page, as it says what has to be said of it\n   - Within it\n- Two',
      ],
    ]);
  });

  test('keeps paragraphs and list items with uneven line spacing whole', async () => {
    const high = (text: string) => `<span style="font-size:26px">${text}</span>`;
    const words = 'A line that is long enough to be followed by another one, since it has many words in it.';
    const long = `${words} ${high('Large')} ${words} ${words} ${high('Again')} ${words}`;
    const blocks = await blocksOfPrinted(`<p>${long}</p><ul><li>${long}<li>Two</ul>`);
    const text = long.replace(/<[^>]+>/g, '');
    expect(blocks.slice(2)).toEqual([
      ['paragraph', text],
      ['list', `- ${text}\n- Two`],
    ]);
  });

  test('keeps a term’s entry with the table in its description', async () => {
    const table = `<table><tr><th>Value</th><th>Meaning</th></tr>${rowsOf([['on', 'Always']]).join('')}</table>`;
    const entry = (name: string) => `<dt><b>${name}</b><dd><p>What it sets.</p>${table}<p>More of it.</p></dd>`;
    const blocks = await blocksOfPrinted(`<dl>${['alpha', 'beta', 'gamma'].map(entry).join('')}</dl>`);
    expect(blocks.filter(([type]) => type === 'term').map(([, markdown, span]) => [markdown, span])).toEqual([
      ['alpha', 3],
      ['beta', 3],
      ['gamma', 3],
    ]);
  });

  test('keeps its headings, also those that look like text', async () => {
    const plain = 'style="font: 16px serif; margin: 0"';
    const blocks = await blocksOfPrinted(
      `<p>The text above it.</p><h2 ${plain}>How long a call of the client may take before it is ended, which is a heading
      of two lines and looks like text</h2><p>The text below it.</p><h3 ${plain}>retries</h3><p>More.</p>`,
    );
    expect(blocks.filter(([type]) => type === 'heading').map(([, markdown]) => markdown.slice(0, 8))).toEqual([
      'Settings',
      'How long',
      'retries',
    ]);
    expect(blocks).toContainEqual(['paragraph', 'The text below it.']);
  });

  test('keeps text beside a table', async () => {
    const table = `<table><tr><th>Left</th><th>Right</th></tr>${rowsOf([['one', 'two']]).join('')}</table>`;
    const blocks = await blocksOfPrinted(`<div style="display:flex;gap:40px">${table}<p>Beside it.</p>${table}</div>`);
    expect(blocks.slice(2).toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      ['paragraph', 'Beside it.'],
      ['table', '| Left | Right |\n| --- | --- |\n| one | two |'],
      ['table', '| Left | Right |\n| --- | --- |\n| one | two |'],
    ]);
  });

  test('creates no table from a layout table', async () => {
    const blocks = await blocksOfPrinted(
      `<table>${rowsOf([
        ['<h2>Left</h2><p>This is the part on the left.</p>', '<h2>Right</h2><p>This is the part on the right.</p>'],
        ['<p>Foot</p>', '<p>Date</p>'],
      ]).join('')}</table>`,
    );
    expect(blocks.filter(([type]) => type === 'table')).toEqual([]);
  });
});
