/**
 * Control characters, line breaks, and characters that hide text or change its direction; joiners and selectors are
 * allowed where they form a character.
 */
const hidden =
  /(?:[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?![\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u115f\u1160\u3164\uffa0])\p{Default_Ignorable_Code_Point})+/gu;
/** Letters and symbols that fonts render blank. */
const blank = /[\u115f\u1160\u2800\u3164\uffa0]+/g;
const strayJoiner =
  /(?<![\u0250-\u{10ffff}])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?![\u0250-\u{10ffff}])/gu;
/** A variation selector outside an emoji, a keycap or a Chinese character variant. */
const straySelector =
  /(?<![#*\d\u00a9\u00ae\u0250-\u{10ffff}])[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+|(?<=[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/**
 * Returns a name that is safe to show: on one line, without invisible characters or ones that reorder surrounding text.
 */
export function nameLine(text: string): string {
  return text
    .replace(hidden, (run) => (/\s/.test(run.replace(/\ufeff/g, '')) ? ' ' : ''))
    .replace(strayJoiner, '')
    .replace(straySelector, '')
    .replace(blank, ' ')
    .trim();
}

/** Matches names, paths and codes without control characters and lone surrogates, safe to pass to programs. */
export const plainLine = /^[^\p{Cc}\p{Cs}]*$/u;
