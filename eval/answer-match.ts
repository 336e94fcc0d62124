/**
 * Matches links and images, which become their text; allows one level of brackets in the text and of parentheses in the
 * address.
 */
const markdownLink = /!?\[((?:[^\][]|\[[^\]]*\])*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/g;

const foldings: [RegExp, string][] = [
  [markdownLink, '$1'],
  [/[\u2018\u2019\u201b\u2032\u00b4]/g, "'"],
  [/[\u201c\u201d\u201e\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\u2026/g, '...'],
  [/\u00b6|\u200b|\u200c|\u200d|\ufeff|\u00ad/g, ''],
  [/[`*_\\|#~[\]]/g, ''],
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&amp;/g, '&'],
  [/\s+/g, ' '],
];

/**
 * Returns the form in which answers are compared: without letter case, white space, quotes, Markdown marks and link
 * targets.
 */
export function normalForm(text: string): string {
  return foldings
    .reduce((folded, [pattern, by]) => folded.replace(pattern, by), text)
    .trim()
    .toLowerCase();
}

/** Returns true if any of the answers is in the text. */
export function hasAnswer(text: string, answers: string[]): boolean {
  const folded = normalForm(text);
  return answers.some((answer) => folded.includes(normalForm(answer)));
}
