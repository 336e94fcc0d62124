import type { Cut } from './cut.ts';
import { cutText } from './cut-text.ts';
import { fragmentTokensMax } from './limits.ts';
import { countTokens } from './tokens.ts';

/** A header above this is not repeated: it would fill the snippets instead of the rows. */
const repeatedHeaderTokensMax = 120;

/** Cuts a GFM table between rows; every stretch starts with the header. A row too long for a snippet is cut as text. */
export function cutTable(markdown: string): Cut[] {
  const lines = markdown.split('\n');
  const header = lines.slice(0, 2).join('\n');
  const headerTokens = countTokens(header);
  const isRepeated = lines.length > 2 && headerTokens <= repeatedHeaderTokensMax;
  const open = isRepeated ? `${header}\n` : '';
  const rows = isRepeated ? lines.slice(2) : lines;
  return rows.flatMap((row) => cutRow(row, open, isRepeated ? headerTokens + 1 : 0));
}

function cutRow(row: string, open: string, openTokens: number): Cut[] {
  const rowTokens = countTokens(row);
  if (rowTokens <= fragmentTokensMax)
    return [{ open, body: row, close: '', joiner: '\n', tokens: rowTokens + openTokens }];
  return cutText(row, fragmentTokensMax).map((cut, index) => {
    return { ...cut, open, joiner: index === 0 ? '\n' : cut.joiner, tokens: cut.tokens + openTokens };
  });
}
