/** Text as a code span, on one line; the marks are doubled where it holds one. */
export function codeSpan(text: string): string {
  const code = text.replace(/\s*\n\s*/g, ' ').trim();
  if (code === '') return '';
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}

/** Text on one line, with single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** An item of a list; its further lines are indented to the width of the marker. */
export function listItem(marker: string, text: string): string {
  return marker + text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`);
}

/**
 * Text with the signs escaped that Markdown would take for its own: of emphasis, code, links and tags anywhere, of headings,
 * quotes and fences at the start of a line. Lists stay: they read as what they are.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[*_`[\]<]/g, '\\$&').replace(/^(?=#{1,6}(?:[ \t]|$)|>|~~~|(?:=+|-{2,})[ \t]*$)/gm, '\\');
}

/** What stands where a text includes a file that was not found. */
export function missingFile(path: string): string {
  return `Included file: ${codeSpan(path)}`;
}

/** Rows of cells as a GFM table; the first row is its header. Empty when there is no text in it. */
export function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0 || rows.every((row) => row.every((cell) => cell.trim() === ''))) return '';
  const line = (cells: readonly string[]): string => {
    const padded = [...cells, ...Array<string>(width - cells.length).fill('')];
    return `| ${padded.map((cell) => oneLine(cell).replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  };
  const [header = [], ...body] = rows;
  return [line(header), `| ${Array<string>(width).fill('---').join(' | ')} |`, ...body.map(line)].join('\n');
}
