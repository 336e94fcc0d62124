import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import type { Browser, Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import rehypeRaw from 'rehype-raw';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium.ts';
import { hasChromium } from '../e2e/chromium.ts';
import { attacksOf } from '../services/attacks.ts';
import { type Pump, textOfPump } from '../services/pumps.ts';

interface HtmlAttack {
  id: string;
  payload: string;
}
interface MarkdownAttack {
  id: string;
  markdown: string;
}
interface BenignText extends MarkdownAttack {
  name: string;
  mustMatch: string[];
}

const pageLimitMs = 120_000;

const htmlAttacks = attacksOf<HtmlAttack>('xss-html.jsonl');
const markdownAttacks = attacksOf<MarkdownAttack>('xss-markdown.jsonl');
const benign = attacksOf<BenignText>('markdown-benign.jsonl');
const examples = attacksOf<MarkdownAttack & { html: string }>('commonmark.jsonl');
const pumps = attacksOf<Pump>('text-pumps.jsonl');

/**
 * The component that shows untrusted text, as in the browser application, on a page without a content security policy.
 */
const entryCode = `
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Markdown } from '${fileURLToPath(new URL('../../web/ui/markdown.tsx', import.meta.url))}';
import { ToastProvider } from '${fileURLToPath(new URL('../../web/ui/toast.tsx', import.meta.url))}';

const ran = [];
for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => void ran.push(name);
const root = createRoot(document.getElementById('text'));
const show = (text) => flushSync(() => root.render(createElement(ToastProvider, null, createElement(Markdown, { text }))));
const forbidden = 'script,style,iframe,frame,object,embed,applet,form,button[formaction],link,meta,base,svg,math,video,audio,source,track,portal,template,dialog';
const addresses = ['href', 'src', 'srcset', 'action', 'formaction', 'poster', 'data', 'background', 'xlink:href', 'ping', 'srcdoc'];

function faults() {
  const found = ran.splice(0).map((name) => 'ran ' + name);
  const text = document.querySelector('#text .prose');
  if (text === null) return ['nothing is shown'];
  for (const element of text.querySelectorAll('*')) {
    if (element.closest('button[aria-label^="Copy"]')) continue;
    if (element.matches(forbidden)) found.push('<' + element.localName + '>');
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) found.push(name);
      if (name === 'style') found.push('style');
      if (name === 'id' && !/^text.+-/.test(value)) found.push('id ' + value);
      if (!addresses.includes(name)) continue;
      const scheme = /^[\\s\\0-\\x20]*([a-z][a-z0-9+.\\s-]*):/i.exec(value)?.[1]?.toLowerCase();
      if (element.localName !== 'a') found.push(element.localName + ' ' + name);
      else if (scheme && !['http', 'https', 'mailto'].includes(scheme)) found.push(name + ' ' + value);
      else if (!value.startsWith('#') && !/nofollow.*noopener/.test(element.rel)) found.push('rel ' + value);
    }
  }
  return found;
}

window.tryAll = async (cases, prefixesMax) => {
  const bad = [];
  for (const { id, text } of cases) {
    const step = Math.max(1, Math.ceil(text.length / prefixesMax));
    for (let end = step; ; end += step) {
      show(text.slice(0, end));
      const found = faults();
      if (found.length > 0) bad.push([id, end, ...found].join(' '));
      if (end >= text.length) break;
    }
    await new Promise((done) => setTimeout(done));
    const late = faults();
    if (late.length > 0) bad.push([id, 'late', ...late].join(' '));
  }
  return bad;
};
window.missing = (text, selectors) => {
  show(text);
  return selectors.filter((selector) => document.querySelector('#text .prose ' + selector) === null);
};
window.textOf = (text) => (show(text), document.querySelector('#text .prose').textContent);
window.timeOf = (text) => {
  const startedAt = performance.now();
  show(text);
  return performance.now() - startedAt;
};
`;

async function bundle(): Promise<string> {
  const id = 'untrusted-text-page';
  const built = await build({
    configFile: false,
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: id,
        resolveId: (source: string) => (source === id ? `\0${id}.js` : undefined),
        load: (source: string) => (source === `\0${id}.js` ? entryCode : undefined),
      },
    ],
    worker: { format: 'es', rolldownOptions: { external: [/^shiki/] } },
    // Syntax colors come from tokens, not from markup: they are left out here.
    build: {
      write: false,
      minify: false,
      rollupOptions: { input: id, external: [/^shiki/], output: { format: 'es' } },
    },
  });
  const chunks = [built].flat().flatMap((output) => ('output' in output ? output.output : []));
  const entry = chunks.find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
  if (entry?.type !== 'chunk') throw new Error('the page was not built');
  return entry.code;
}

describe.skipIf(!hasChromium || htmlAttacks.length === 0)('untrusted text in a page', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];

  beforeAll(async () => {
    const code = await bundle();
    server = createServer((request, response) => {
      const isCode = request.url === '/page.js';
      response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(
        isCode ? code : '<!doctype html><div id="text"></div><script type="module" src="/page.js"></script>',
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
    page = await browser.newPage();
    // All tests wait for this page, which a busy machine builds and shows late.
    page.setDefaultTimeout(pageLimitMs);
    await page.goto(origin);
    await page.waitForFunction('window.tryAll !== undefined');
    // The syntax highlighter is our own script, and its address contains nothing from the text.
    page.on('request', (request) => {
      if (!/^http:\/\/127[^?#]*\/highlight-[\w-]+\.js$/.test(request.url())) requested.push(request.url());
    });
    page.on('framenavigated', (frame) => requested.push(`went to ${frame.url()}`));
  }, 2 * pageLimitMs);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const tryAll = async (cases: { id: string; text: string }[], prefixesMax: number): Promise<unknown> =>
    page.evaluate(`window.tryAll(${JSON.stringify(cases)}, ${prefixesMax})`);

  test('runs no script and requests nothing, complete or partial: HTML', async () => {
    const cases = htmlAttacks.map(({ id, payload }) => ({ id, text: payload }));
    expect(await tryAll(cases, 6)).toEqual([]);
    expect(requested.splice(0)).toEqual([]);
  }, 240_000);

  test('runs no script and requests nothing, complete or partial: Markdown', async () => {
    const cases = markdownAttacks.map(({ id, markdown }) => ({ id, text: markdown }));
    expect(await tryAll(cases, 200)).toEqual([]);
    expect(requested.splice(0)).toEqual([]);
  }, 240_000);

  test.each(benign)('keeps useful formatting: $name', async ({ markdown, mustMatch }) => {
    expect(await page.evaluate(`window.missing(${JSON.stringify(markdown)}, ${JSON.stringify(mustMatch)})`)).toEqual(
      [],
    );
    expect(requested.splice(0)).toEqual([]);
  });

  test('shows invisible control characters', async () => {
    const shown = await page.evaluate(`window.textOf(${JSON.stringify('a\u202eb\u0007c\u2066d')})`);
    expect(shown).toBe('a⟨U+202E⟩b⟨U+0007⟩c⟨U+2066⟩d');
  });

  test('is shown in a few seconds, even if it is slow to parse', async () => {
    const slow: string[] = [];
    for (const pump of pumps.filter(({ class: kind, parts }) => kind === 'markdown' && parts !== undefined)) {
      const text = textOfPump(pump, 8_000);
      const ms = Number(await page.evaluate(`window.timeOf(${JSON.stringify(text)})`));
      if (ms > 5_000) slow.push(`${pump.id}: ${Math.round(ms)} ms`);
    }
    expect(slow).toEqual([]);
  }, 240_000);
});

/**
 * Normalizes HTML for comparison: removes comments, white space between blocks, React's image preloads, and links that
 * only one of the parsers reopens.
 */
function normalised(html: string): string {
  const tree = parseFragment(html.replace(/<link rel="preload"[^>]*>|<!--[^]*?-->/g, ''));
  const tidy = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    node.childNodes = node.childNodes.filter((child) => !('value' in child) || child.value.trim() !== '');
    for (const child of node.childNodes) if ('childNodes' in child && child.nodeName !== 'pre') tidy(child);
  };
  tidy(tree);
  return serialize(tree)
    .replace(/<a[^>]*><\/a>/g, '')
    .replace(/\s+(?=<|$)|(?<=>)\s+/g, '');
}

test.skipIf(examples.length === 0)('Markdown is parsed as CommonMark specifies', () => {
  const wrong = examples.filter(({ markdown, html }) => {
    const element = createElement(
      ReactMarkdown,
      { rehypePlugins: [rehypeRaw], urlTransform: (url: string) => url },
      markdown,
    );
    return normalised(renderToStaticMarkup(element)) !== normalised(html);
  });
  expect(wrong.length / examples.length).toBeLessThanOrEqual(0.01);
});
