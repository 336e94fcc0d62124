import type { Block } from '../document.ts';
import { plainText } from '../split/plain-inline.ts';

const titleCharsMax = 200;
/** What programs write when no one gave a title. */
const noTitle =
  /^(?:untitled|document\d*|microsoft word\b.*|slide \d+|.*\.(?:docx?|dvi|tex|texi|indd|pptx?|rtf|html?|pdf|fm|qxd|xml))$/i;

/** The title of a document: what it says itself, else its first heading, else the name of its file. */
export function titleOf(said: string | undefined, blocks: readonly Block[], fileName: string): string {
  const own = clean(said ?? '');
  if (own !== '' && !noTitle.test(own)) return own;
  const first = blocks.slice(0, 40).find((block) => block.type === 'heading');
  const heading = first === undefined ? '' : clean(plainText(first.markdown));
  return heading === '' ? clean(fileName.replace(/\.pdf$/i, '')) || 'PDF' : heading;
}

/** One line, without characters that hide or reorder text. */
function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, titleCharsMax);
}
