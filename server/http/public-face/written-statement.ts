import { escapeUTF8 } from 'entities/escape';

/** As `web/ui/code-block.tsx` and `web/ui/markdown.tsx` frame them: the page keeps its places when its scripts run. */
const codeFrame = 'overflow-hidden rounded-lg border border-line bg-sunken relative';
const codeLook = 'min-w-0 flex-1 overflow-x-auto rounded-sm font-mono text-[0.8125rem] text-ink leading-5 px-4 py-3';
const tableFrame = '<div class="prose-table" tabindex="0" role="group" aria-label="Table">';

/** Makes markup of what an operator said in Markdown. */
export type StatementWriter = (body: string) => string;

/**
 * Writes statements as the page of an incident has them before scripts. Markup in them stays text, only addresses of the web become
 * links, pictures are their description, and a heading is a paragraph in bold: it is not one of the page. The reader of
 * Markdown is loaded when there is something to read.
 */
export async function statementWriter(isNeeded: boolean): Promise<StatementWriter> {
  if (!isNeeded) return escapeUTF8;
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([import('micromark'), import('micromark-extension-gfm')]);
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
  return (body) =>
    micromark(body, options)
      .replace(/<(\/?)h[1-6]>/g, (_, closes: string) => (closes === '' ? '<p><strong>' : '</strong></p>'))
      .replace(/<img [^>]*alt="([^"]*)"[^>]*>/g, '$1')
      .replaceAll('<a href="', '<a rel="noopener noreferrer" href="')
      .replace(
        /<pre>(<code[^>]*>[^<]*?)\n?<\/code><\/pre>/g,
        (_, code: string) => `${codeStart(code)}</code></pre></div>`,
      )
      .replaceAll('<table>', `${tableFrame}<table>`)
      .replaceAll('</table>', '</table></div>');
}

/** Named by its language, as the block that takes its place is. */
function codeStart(code: string): string {
  const language = /^<code class="language-([\w-]+)"/.exec(code)?.[1];
  const name = language === undefined ? 'Code' : `${language} code`;
  return `<div class="${codeFrame}"><pre tabindex="0" role="group" aria-label="${name}" class="${codeLook}">${code}`;
}
