import { join } from 'node:path';
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { createElement, type FunctionComponent, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChatCitation } from '#contract/chat.ts';
import { attacksOf } from '../services/attacks.ts';

const attacks = [
  ...attacksOf<{ id: string; payload: string }>('xss-html.jsonl').map(({ id, payload }) => ({ id, text: payload })),
  ...attacksOf<{ id: string; markdown: string }>('xss-markdown.jsonl').map(({ id, markdown }) => ({
    id,
    text: markdown,
  })),
];

const cited = 'https://docs.example/queues#drain';
const citations: ChatCitation[] = [
  {
    ...{ number: 1, url: cited, title: 'Queues', headingPath: ['Drain'], moduleId: 'queues', moduleName: 'Queues' },
    ...{ visibility: 'public', text: 'Drain it.', tokens: 3 },
  },
];

let AnswerMarkdown: FunctionComponent<{ text: string; citations: readonly ChatCitation[] }>;
let ToastProvider: FunctionComponent<{ children: ReactNode }>;

beforeAll(async () => {
  // The browser code has its own type check, so it is not imported statically here.
  const web = join(import.meta.dirname, '..', '..', 'web');
  const answer: unknown = await import(join(web, 'features', 'chat', 'answer-markdown.tsx'));
  ({ AnswerMarkdown } = answer as { AnswerMarkdown: typeof AnswerMarkdown });
  const toast: unknown = await import(join(web, 'ui', 'toast.tsx'));
  ({ ToastProvider } = toast as { ToastProvider: typeof ToastProvider });
});

const render = (text: string) =>
  renderToStaticMarkup(createElement(ToastProvider, null, createElement(AnswerMarkdown, { text, citations })));

/** Elements allowed in an answer: text and its structure. Buttons and marks are added by the application. */
const harmless = new Set(
  `a abbr b blockquote br button caption circle cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4
  h5 h6 hr i input ins kbd li line mark ol p path pre q rect rp rt ruby s samp section small span strike strong sub
  summary sup svg table tbody td tfoot th thead tr tt ul var`
    .split(/\s+/)
    .filter(Boolean),
);
const ownLink = /^(?:\/document\/|#)/;

/** Returns everything in the tree that could run, load or navigate. */
function dangersOf(html: string): string[] {
  const dangers: string[] = [];
  const visit = (node: Tree.Node) => {
    if ('tagName' in node) {
      if (!harmless.has(node.tagName)) dangers.push(`<${node.tagName}>`);
      for (const { name, value } of node.attrs) {
        const isAddress = ['href', 'src', 'srcset', 'action', 'formaction', 'poster', 'data', 'xlink:href'].includes(
          name,
        );
        if (/^on/i.test(name) || name === 'srcdoc') dangers.push(name);
        if (isAddress && !ownLink.test(value)) dangers.push(`${name}=${value}`);
        if (name === 'style' && /url|expression|position|import/i.test(value)) dangers.push(`style=${value}`);
      }
      // Only the application's own icons are drawn.
      if (node.tagName === 'svg' && !node.attrs.some(({ name, value }) => name === 'class' && /lucide/.test(value))) {
        dangers.push('<svg>');
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(parseFragment(html));
  return dangers;
}

/** Returns every prefix of a short text; of a long one every few characters, and all near its end. */
function prefixesOf(text: string): string[] {
  const step = Math.max(1, Math.ceil(text.length / 40));
  const prefixes: string[] = [];
  for (let length = 1; length < text.length; length += length > text.length - 12 ? 1 : step) {
    prefixes.push(text.slice(0, length));
  }
  return [...prefixes, text];
}

describe.skipIf(attacks.length === 0)('a partial or complete chat answer', () => {
  const groups = Object.entries(Object.groupBy(attacks, (_, index) => `${Math.floor(index / 100)}`));

  test.each(groups)(
    'runs no script, loads nothing and links nowhere: attacks from %s00',
    { timeout: 120_000 },
    (_name, group = []) => {
      for (const { id, text } of group) {
        for (const prefix of prefixesOf(text)) {
          const dangers = dangersOf(render(prefix));
          if (dangers.length > 0) expect({ id, prefix, dangers }).toEqual({ id, prefix, dangers: [] });
        }
      }
    },
  );
});

describe('links and citations in an answer', () => {
  test('a citation links to its passage, and an unknown number stays text', () => {
    const html = render('So [1], not [2], and `a[1]`.');
    expect(html.match(/href="([^"]*)"/g)).toEqual([
      'href="/document/https://docs.example/queues?~module=queues&amp;~visibility=public#drain"',
    ]);
    expect(html).toContain('not [2]');
    expect(html).toContain('<code>a[1]</code>');
  });

  test('a link to a cited passage works, and any other becomes text', () => {
    expect(render(`See [here](${cited}).`)).toContain('href="/document/');
    const html = render(
      'See [here](https://evil.example/?d=secret) or https://evil.example/x or <https://evil.example>.',
    );
    expect(html).not.toContain('href=');
    expect(html).toContain('here (https://evil.example/?d=secret)');
  });

  test('a picture is replaced by its description and never loaded', () => {
    const html = render('![a chart](https://evil.example/p.png?d=secret) ![x][r]\n\n[r]: https://evil.example/q.png');
    expect(html).toContain('(picture: a chart)');
    expect(html).not.toContain('evil.example');
  });
});
