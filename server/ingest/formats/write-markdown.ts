/** Returns text as a code span on one line; the backticks are doubled if the text contains one. */
export function codeSpan(text: string): string {
  const code = text.replace(/(?:(?<!\s)\s+)?\n\s*/g, ' ').trim();
  if (code === '') return '';
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}

/** Returns text on one line with single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns a list item; its further lines are indented by the marker's width. */
export function listItem(marker: string, text: string): string {
  return marker + text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`);
}

/**
 * Escapes characters that are special in Markdown: emphasis, code, links and tags anywhere, but no `_` inside a word;
 * headings, quotes and fences at the start of a line. List markers stay, because they mean the same.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[*`[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/^(?=#{1,6}(?:[ \t]|$)|>|~~~|(?:=+|-{2,})[ \t]*$)/gm, '\\');
}

/** Returns the placeholder for an included file that was not found. */
export function missingFile(path: string): string {
  return `Included file: ${codeSpan(path)}`;
}

/** In larger tables short rows are not filled: a wide and long table would have billions of cells. */
const filledCellsMax = 1_000_000;

/** Returns rows of cells as a GFM table with the first row as header; empty if there is no text. */
export function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0 || rows.every((row) => row.every((cell) => cell.trim() === ''))) return '';
  const line = (cells: readonly string[], at: number): string => {
    const isFilled = at === 0 || width * rows.length <= filledCellsMax;
    const padded = isFilled ? [...cells, ...Array<string>(width - cells.length).fill('')] : cells;
    return `| ${padded.map((cell) => oneLine(cell).replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  };
  const [header = '', ...body] = rows.map(line);
  return [header, `| ${Array<string>(width).fill('---').join(' | ')} |`, ...body].join('\n');
}
