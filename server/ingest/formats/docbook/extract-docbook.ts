import type { ExtractedDocument } from '../../document.ts';
import { extractContent } from '../../extract/extract-html.ts';
import { findElement } from '../../extract/html-tree.ts';
import { plainText } from '../../extract/inline.ts';
import { titleFromUrl } from '../draft.ts';
import { readXml } from './read-xml.ts';
import { toHtml } from './to-html.ts';

/** Extracts a DocBook or DITA document by converting it to HTML. */
export function extractDocbook(text: string, { url }: { url: string }): ExtractedDocument {
  // PHP's manual does not specify the language of function declarations.
  const isPhp = /<\?php\b|&reftitle\.|\brole="php"/.test(text);
  const page = toHtml(readXml(text, url), isPhp);
  const title = findElement(page, ({ name }) => name === 'h1');
  return extractContent(page, { url, title: (title && plainText(title)) || titleFromUrl(url) });
}
