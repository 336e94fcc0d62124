import { escapeMarkup } from './escape-markup.ts';

/** Makes markup of what an operator said in Markdown. */
export type StatementWriter = (body: string) => string;

/**
 * Writes statements as the page of an incident has them before scripts. Markup in them stays text, only addresses of the web become
 * links, pictures are their description, and a heading is a paragraph in bold: it is not one of the page. The reader of
 * Markdown is loaded when there is something to read.
 */
export async function statementWriter(isNeeded: boolean): Promise<StatementWriter> {
  if (!isNeeded) return escapeMarkup;
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([import('micromark'), import('micromark-extension-gfm')]);
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
  return (body) =>
    micromark(body, options)
      .replace(/<(\/?)h[1-6]>/g, (_, closes: string) => (closes === '' ? '<p><strong>' : '</strong></p>'))
      .replace(/<img [^>]*alt="([^"]*)"[^>]*>/g, '$1')
      .replaceAll('<a href="', '<a rel="noopener noreferrer" href="');
}
