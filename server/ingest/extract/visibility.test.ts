import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { extractHtml } from './extract-html.ts';

const list = path.resolve(process.env['LECTERN_SHARED'] ?? '../shared', 'security/prompt-injection.jsonl');
const hasList = existsSync(list);
if (!hasList) console.warn(`left out: no ${list}`);

const markdown = (html: string): string =>
  extractHtml(html, { url: 'https://docs.example/a' })
    .blocks.map((block) => block.markdown)
    .join('\n');

describe('hidden text is left out', () => {
  test.each([
    '<p hidden>secret</p>',
    '<div aria-hidden="true">secret</div>',
    '<div style="display: none">secret</div>',
    '<div style="position:absolute; left:-9999px">secret</div>',
    '<span style="font-size:0">secret</span>',
    '<div style="opacity:0">secret</div>',
    '<div style="height:0;overflow:hidden">secret</div>',
    '<div style="clip-path:inset(100%)">secret</div>',
    '<div style="color:#fff;background:#fff">secret</div>',
    '<span class="visually-hidden">secret</span>',
    '<span class="annot"><span class="annottext">secret</span></span>',
    '<template>secret</template><noscript>secret</noscript><script>secret</script><style>secret</style>',
    '<svg><text>secret</text></svg><button>secret</button><select><option>secret</select><textarea>secret</textarea>',
  ])('%s', (html) => {
    expect(markdown(`<main><h1>Title</h1><p>Shown text.</p>${html}</main>`)).toBe('Title\nShown text.');
  });

  test('except text that the page’s search would open', () => {
    expect(markdown('<main><p>a</p><div hidden="until-found"><p>b</p></div></main>')).toBe('a\nb');
  });

  test.skipIf(!hasList)('for the attack list, while the visible text is kept', () => {
    const attacks = readFileSync(list, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Attack);
    const pages = attacks.filter((attack) => attack.class === 'hidden-html');
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages) {
      const shown = markdown(page.content);
      expect(shown, page.name).toContain('VISIBLE-CANARY');
      if (page.assert.includes('absent:HIDDEN-CANARY')) expect(shown, page.name).not.toContain('HIDDEN-CANARY');
    }
  });
});

interface Attack {
  class: string;
  name: string;
  content: string;
  assert: string[];
}
