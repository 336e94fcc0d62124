/** First character of every line that we add; a documentation line that begins with it is escaped. */
export const mark = '§';

/** Most texts are plain ASCII, which this test detects much faster than the search for suspicious characters. */
const isBeyondPlain = /[^\t\n\x20-\x7e]/;
const suspicious = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;
// Removed first, as whole terminal sequences: otherwise their printable tail would remain.
const terminalSequence =
  /\u{1b}(?:\[[0-?]*[ -/]*[@-~]|\][^\u{7}\u{1b}\n]*(?:\u{7}|\u{1b}\\)?|[PX^_][^\u{1b}\n]*(?:\u{1b}\\)?|[ -/]*[0-~])|\u{9b}[0-?]*[ -/]*[@-~]/gu;
const hidden =
  /(?![\t\n\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const variationSelectorRun = /([\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
// Joiners shape emoji and some scripts; beside Latin letters, digits and symbols they only hide something.
const strayJoiner = /(?<![\u0250-\u{10ffff}])[\u200c\u200d]+|[\u200c\u200d]+(?![\u0250-\u{10ffff}])/gu;
const joinerRun = /([\u200c\u200d])[\u200c\u200d]+/gu;
const forgedMark = new RegExp(`^([^\\S\\n]*)${mark}`, 'gmu');

/**
 * Returns documentation that is safe to show to an agent: without control characters except tab and line feed, without
 * terminal sequences, without characters that hide or reorder text, and without lines that look like our own. Visible
 * text is unchanged.
 */
export function cleanText(text: string): string {
  const visible = isSuspicious(text) ? removeHidden(text) : text;
  return visible.includes(mark) ? visible.replace(forgedMark, `$1\\${mark}`) : visible;
}

/** Returns a title, heading or name: cleaned, on one line, at most `charactersMax` characters. */
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
