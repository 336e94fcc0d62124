/** First character of every line that is ours; a line of documentation that begins with it is escaped. */
export const mark = '§';

/** Most texts have nothing else, which is found out many times faster than suspicious characters. */
const isBeyondPlain = /[^\t\n\x20-\x7e]/;
const suspicious = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;
// Whole terminal sequences go first: their printable tail would be left behind otherwise.
const terminalSequence =
  /\u{1b}(?:\[[0-?]*[ -/]*[@-~]|\][^\u{7}\u{1b}\n]*(?:\u{7}|\u{1b}\\)?|[PX^_][^\u{1b}\n]*(?:\u{1b}\\)?|[ -/]*[0-~])|\u{9b}[0-?]*[ -/]*[@-~]/gu;
const hidden =
  /(?![\t\n\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const variationSelectorRun = /([\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
// Joiners shape emoji and some scripts; beside Latin letters, digits and signs they only hide something.
const strayJoiner = /(?<![\u0250-\u{10ffff}])[\u200c\u200d]+|[\u200c\u200d]+(?![\u0250-\u{10ffff}])/gu;
const joinerRun = /([\u200c\u200d])[\u200c\u200d]+/gu;
const forgedMark = new RegExp(`^([^\\S\\n]*)${mark}`, 'gmu');

/**
 * Documentation as an agent may see it: no control characters but tab and line feed, no terminal sequences, no
 * characters that hide or reorder text, and no line that could pass for our own. Visible text stays as it was.
 */
export function cleanText(text: string): string {
  const visible = isSuspicious(text) ? removeHidden(text) : text;
  return visible.includes(mark) ? visible.replace(forgedMark, `$1\\${mark}`) : visible;
}

/** A title, heading or name: cleaned, on one line, at most `charactersMax` characters. */
export function cleanLabel(text: string, charactersMax = 160): string {
  const line = (isSuspicious(text) ? removeHidden(text) : text).replace(/\s+/g, ' ').trim();
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function isSuspicious(text: string): boolean {
  return isBeyondPlain.test(text) && suspicious.test(text);
}

function removeHidden(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(terminalSequence, '')
    .replace(hidden, '')
    .replace(joinerRun, '$1')
    .replace(strayJoiner, '')
    .replace(variationSelectorRun, '$1');
}
