/** Where spreadsheets take what follows for a formula, also behind the blanks they skip: in a field, or a part that may become one. */
const formulaStart = /(^(?=[\s\u0000]*[=+\-@＝＋－＠])|[;\t\r\n](?=(?:[^\S\t\r\n]|\u0000)*[=+\-@＝＋－＠]))/g;

/**
 * CSV as RFC 4180 has it: lines end with CRLF, fields with commas, quotes or line breaks are quoted. Text that a
 * spreadsheet would run as a formula is kept from it by an apostrophe in front; numbers stay numbers.
 */
export function toCsv(rows: (string | number | boolean)[][]): string {
  return rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');
}

function fieldOf(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const text = value.replace(formulaStart, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
