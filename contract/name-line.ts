/** Controls, line ends, and what hides text or turns its direction; joiners and selectors stay where they form a character. */
const hidden =
  /(?:[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?![\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u115f\u1160\u3164\uffa0])\p{Default_Ignorable_Code_Point})+/gu;
/** Letters and symbols that fonts leave blank. */
const blank = /[\u115f\u1160\u2800\u3164\uffa0]+/g;
const strayJoiner = /(?<![\u0250-\u{10ffff}])[\u200c\u200d]+|[\u200c\u200d]+(?![\u0250-\u{10ffff}])/gu;
/** As in an emoji, the number on a key or a variant of a Chinese character. */
const straySelector =
  /(?<![#*\d\u00a9\u00ae\u0250-\u{10ffff}])[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+|(?<=[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/** A name as others may see it: on one line, with nothing in it that does not show or that turns what stands around it. */
export function nameLine(text: string): string {
  return text
    .replace(hidden, (run) => (/\s/.test(run.replace(/\ufeff/g, '')) ? ' ' : ''))
    .replace(strayJoiner, '')
    .replace(straySelector, '')
    .replace(blank, ' ')
    .trim();
}

/** What a program is given as a name, a path or a code: no control characters, no halves of characters. */
export const plainLine = /^[^\p{Cc}\p{Cs}]*$/u;
