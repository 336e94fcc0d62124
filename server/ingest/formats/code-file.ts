import type { ExtractedDocument } from '../document.ts';
import { Draft, titleFromUrl } from './draft.ts';

/** Reads JSON, configuration or source code as one block of code under the file's name. */
export function extractCodeFile(text: string, page: { url: string; language: string }): ExtractedDocument {
  const draft = new Draft(page.url);
  draft.title = URL.canParse(page.url) ? (new URL(page.url).pathname.split('/').at(-1) ?? '') : '';
  if (draft.title === '') draft.title = titleFromUrl(page.url);
  const code = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\s+$/, '');
  if (code !== '') draft.addCode(code, page.language);
  return draft.finish();
}
