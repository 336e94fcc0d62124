import { describe, expect, test } from 'vitest';
import type { Block } from '../document.ts';
import { extractHtml } from './extract-html.ts';

const blocks = (html: string): Block[] =>
  extractHtml(`<p>Before.</p>${html}`, { url: 'https://docs.example/a' }).blocks.slice(1);

describe('admonitions', () => {
  test.each([
    ['Sphinx', '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot.</p></div>', 'Warning'],
    [
      'Sphinx, own title',
      '<div class="admonition-cold-start admonition"><p class="admonition-title">Cold start</p><p>Hot.</p></div>',
      'Cold start',
    ],
    [
      'AsciiDoc table',
      '<div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div></td><td class="content"><div class="paragraph"><p>Hot.</p></div></td></tr></table></div>',
      'Note',
    ],
    [
      'AsciiDoc image',
      '<div class="admonitionblock"><table><tr><td class="icon"><img src="i.png" alt="Tip"></td><td class="content">Hot.</td></tr></table></div>',
      'Tip',
    ],
    ['DocBook', '<div class="caution"><h3 class="title">Caution</h3><p>Hot.</p></div>', 'Caution'],
    ['httpd', '<div class="note"><h3>On heat</h3><p>Hot.</p></div>', 'On heat'],
    ['httpd without a title', '<div class="warning"><p>Hot.</p></div>', 'Warning'],
    [
      'Docusaurus',
      '<div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success"><div class="admonitionHeading_Gv"><span class="admonitionIcon_R"></span>tip</div><div class="admonitionContent_Bu"><p>Hot.</p></div></div>',
      'tip',
    ],
    [
      'MkDocs details',
      '<details class="warning"><summary>Old pools</summary><p>Hot.</p></details>',
      'Warning: Old pools',
    ],
    [
      'VitePress',
      '<div class="danger custom-block"><p class="custom-block-title">DANGER</p><p>Hot.</p></div>',
      'DANGER',
    ],
    [
      'Starlight',
      '<aside class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title" aria-hidden="false">Caution</p><div class="starlight-aside__content"><p>Hot.</p></div></aside>',
      'Caution',
    ],
    [
      'GitHub',
      '<div class="markdown-alert markdown-alert-important"><p class="markdown-alert-title">Important</p><p>Hot.</p></div>',
      'Important',
    ],
    ['unrendered GitHub', '<blockquote><p>[!NOTE]<br>Hot.</p></blockquote>', 'Note'],
    ['bold label in a quote', '<blockquote><p><strong>Note:</strong> Hot.</p></blockquote>', 'Note'],
  ])('%s', (_name, html, label) => {
    expect(blocks(html)).toMatchObject([{ type: 'admonition', markdown: `> **${label}**\n>\n> Hot.` }]);
  });

  test('code inside becomes a block of its own and the rest continues as a quote', () => {
    const html = '<div class="admonition note"><p class="admonition-title">Note</p><p>a</p><pre>x</pre><p>b</p></div>';
    expect(blocks(html).map(({ type, markdown }) => [type, markdown])).toEqual([
      ['admonition', '> **Note**\n>\n> a'],
      ['code', '```\nx\n```'],
      ['quote', '> b'],
    ]);
  });

  test('a definition list inside stays inside', () => {
    const html =
      '<div class="admonition seealso"><p class="admonition-title">See also</p><dl><dt><a href="b">b</a></dt><dd><p>More.</p></dd></dl></div>';
    expect(blocks(html)).toMatchObject([
      { type: 'admonition', markdown: '> **See also**\n>\n> - **b**\n>\n>   More.' },
    ]);
  });

  test('a page that is a single large note is not a quote', () => {
    const html = '<div class="note"><h2>A</h2><p>1</p><h2>B</h2><p>2</p><h2>C</h2><p>3</p></div>';
    expect(blocks(html).map(({ type }) => type)).not.toContain('admonition');
  });
});

describe('alternative views', () => {
  const paragraphs = (html: string): string =>
    blocks(html)
      .map(({ markdown }) => markdown)
      .join(' | ');

  test.each([
    [
      'by position',
      '<div class="tabs-container"><ul role="tablist"><li role="tab">npm</li><li role="tab">Yarn</li></ul><div><div role="tabpanel"><p>a</p></div><div role="tabpanel" hidden><p>b</p></div></div></div>',
    ],
    [
      'by reference',
      '<div class="sphinx-tabs"><div role="tablist"><button role="tab" aria-controls="p1" id="t1">npm</button><button role="tab" aria-controls="p2" id="t2">Yarn</button></div><div role="tabpanel" id="p1" aria-labelledby="t1"><p>a</p></div><div role="tabpanel" id="p2" aria-labelledby="t2" hidden="true"><p>b</p></div></div>',
    ],
    [
      'radio buttons',
      '<div class="sd-tab-set"><input type="radio" id="i1"><label class="sd-tab-label" for="i1">npm</label><div class="sd-tab-content"><p>a</p></div><input type="radio" id="i2"><label class="sd-tab-label" for="i2">Yarn</label><div class="sd-tab-content"><p>b</p></div></div>',
    ],
    [
      'a row of labels',
      '<div class="tabbed-set"><input type="radio"><div class="tabbed-labels"><label>npm</label><label>Yarn</label></div><div class="tabbed-content"><div class="tabbed-block"><p>a</p></div><div class="tabbed-block"><p>b</p></div></div></div>',
    ],
    [
      'a code group',
      '<div class="vp-code-group"><div class="tabs"><input type="radio"><label>npm</label><input type="radio"><label>Yarn</label></div><div class="blocks"><div class="language-x active"><p>a</p></div><div class="language-x"><p>b</p></div></div></div>',
    ],
    [
      'links to panels',
      '<ul class="nav-tabs"><li><a data-toggle="tab" href="#p1">npm</a></li><li><a data-toggle="tab" href="#p2">Yarn</a></li></ul><div class="tab-content"><div class="tab-pane active" id="p1"><p>a</p></div><div class="tab-pane" id="p2"><p>b</p></div></div>',
    ],
  ])('keep every tab under its label: %s', (_name, html) => {
    expect(paragraphs(html)).toBe('**npm** | a | **Yarn** | b');
  });

  test('keep closed details as content', () => {
    expect(paragraphs('<details><summary>More</summary><p>a</p></details>')).toBe('**More** | a');
  });
});
