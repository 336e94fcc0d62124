// Lengths take one byte: exact below 64, then in steps of 6 % (twelve per doubling) up to 4 million.
const exactBelow = 64;
const stepsPerDoubling = 12;

/** The length that each code stands for. */
export const lengthOfCode = Float64Array.from({ length: 256 }, (_, code) =>
  code < exactBelow ? code : Math.floor(exactBelow * 2 ** ((code - exactBelow) / stepsPerDoubling)),
);

/** Returns the code of the longest representable length that does not exceed `length`. */
export function codeOfLength(length: number): number {
  if (length < exactBelow) return length;
  let low = exactBelow;
  let high = 255;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lengthOfCode[middle] as number) <= length) low = middle;
    else high = middle - 1;
  }
  return low;
}
