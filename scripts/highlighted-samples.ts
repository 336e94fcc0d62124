import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Plugin } from 'vite';
import { highlight } from '../web/ui/highlight.ts';

const suffix = '?highlighted';

/**
 * Turns `import sample from './x.sh?highlighted'` into the file's text and its highlighted tokens, line by line, during
 * the browser build: pages show highlighted code without shipping a highlighter. Throws for a language without a
 * grammar.
 */
export function highlightedSamples(): Plugin {
  // Run sequentially: two calls that need the same grammar may otherwise find it half loaded.
  let before: Promise<unknown> = Promise.resolve();
  return {
    name: 'highlighted-samples',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(suffix)) return undefined;
      const file = id.slice(0, -suffix.length);
      const language = extname(file).slice(1);
      const code = (await readFile(file, 'utf8')).trimEnd();
      const mine = before.then(() => highlight(code, language));
      before = mine.catch(() => undefined);
      const lines = await mine;
      if (lines === undefined) throw new Error(`${file}: there are no colours for ${language}`);
      const parts = lines.map((tokens) => tokens.map(({ content, color }) => [kindOf(color), content]));
      return { code: `export default ${JSON.stringify({ code, language, lines: parts })}`, map: null };
    },
  };
}

/** Returns the class for a colour: `token-keyword` for `var(--shiki-token-keyword)`. */
function kindOf(colour: string | undefined): string {
  return /^var\(--shiki-(token-[a-z-]+)\)$/.exec(colour ?? '')?.[1] ?? '';
}
