const isSuspicious = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const control = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Text in which characters that would act unseen (reorder the line, control a terminal) are written out as `⟨U+202E⟩`. */
export function withVisibleControls(text: string): string {
  if (!isSuspicious.test(text)) return text;
  return text.replace(control, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
