/**
 * Converts values for both databases: flags to 0 and 1, absent values to null, and the NUL character, which PostgreSQL
 * cannot store, to U+FFFD (as for an undecodable byte).
 */
export function neutralParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) => {
    if (value === undefined) return null;
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (typeof value === 'string' && value.includes('\0')) return value.replaceAll('\0', '\uFFFD');
    return value;
  });
}
