/**
 * Positions at which spreadsheets read the following text as a formula, also after blanks they skip: the start of a
 * field, or of a part that may become a field.
 */
const formulaStart = /(^(?=[\s\u0000]*[=+\-@＝＋－＠])|[;\t\r\n](?=(?:[^\S\t\r\n]|\u0000)*[=+\-@＝＋－＠]))/g;

/**
 * Returns CSV as in RFC 4180: lines end with CRLF; fields with commas, quotes or line breaks are quoted. Text that a
 * spreadsheet would run as a formula gets a leading apostrophe; numbers stay numbers.
 */
export function toCsv(rows: (string | number | boolean)[][]): string {
  return rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');
}

function fieldOf(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const text = value.replace(formulaStart, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
