/** Controls, line ends, and what hides text or turns its direction; among letters that need joiners, these stay. */
const hidden =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+/gu;
/** Letters and symbols that fonts leave blank. */
const blank = /[\u115f\u1160\u2800\u3164\uffa0]+/g;
const strayJoiner = /(?<![\u0250-\u{10ffff}])[\u200c\u200d]+|[\u200c\u200d]+(?![\u0250-\u{10ffff}])/gu;

/** A name as others may see it: on one line, with nothing in it that does not show or that turns what stands around it. */
export function nameLine(text: string): string {
  return text
    .replace(hidden, (run) => (/\s/.test(run.replace(/\ufeff/g, '')) ? ' ' : ''))
    .replace(strayJoiner, '')
    .replace(blank, ' ')
    .trim();
}

/** What a program is given as a name, a path or a code: no control characters, no halves of characters. */
export const plainLine = /^[^\p{Cc}\p{Cs}]*$/u;
