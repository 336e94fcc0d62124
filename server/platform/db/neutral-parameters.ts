/**
 * Makes both databases take the same values: flags as 0 and 1, absent as null, and text without the NUL character,
 * which PostgreSQL cannot store (it becomes U+FFFD, as an undecodable byte would).
 */
export function neutralParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) => {
    if (value === undefined) return null;
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (typeof value === 'string' && value.includes('\0')) return value.replaceAll('\0', '\uFFFD');
    return value;
  });
}
