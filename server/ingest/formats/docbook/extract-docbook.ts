import type { ExtractedDocument } from '../../document.ts';
import { extractContent } from '../../extract/extract-html.ts';
import { findElement } from '../../extract/html-tree.ts';
import { plainText } from '../../extract/inline.ts';
import { titleFromUrl } from '../draft.ts';
import { readXml } from './read-xml.ts';
import { toHtml } from './to-html.ts';

/** Reads a document of DocBook or DITA: its elements become those of HTML, which is read from there. */
export function extractDocbook(text: string, { url }: { url: string }): ExtractedDocument {
  // PHP's manual declares its functions without the language.
  const isPhp = /<\?php\b|&reftitle\.|\brole="php"/.test(text);
  const page = toHtml(readXml(text, url), isPhp);
  const title = findElement(page, ({ name }) => name === 'h1');
  return extractContent(page, { url, title: (title && plainText(title)) || titleFromUrl(url) });
}
