export const lessThan = 60;
export const greaterThan = 62;
export const slash = 47;
export const bang = 33;
export const question = 63;
export const equals = 61;
export const doubleQuote = 34;
export const singleQuote = 39;
export const newline = 10;

export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

export function isSpace(code: number): boolean {
  return code === 32 || code === newline || code === 9 || code === 12;
}

export function isBlank(text: string): boolean {
  return !/[^\t\n\f ]/.test(text);
}

/** ASCII alone, as the standard has it. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
