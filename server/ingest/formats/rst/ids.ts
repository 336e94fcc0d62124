/** Identifier that docutils makes of a name: lower case, without accents, everything but letters and digits as single hyphens. */
export function plainTextId(name: string): string {
  return name
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .replace(/[^\0-\x7f]+/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
}

/** Form in which names of targets are compared. */
export function normalName(name: string): string {
  return name.replace(/\\(.)/g, '$1').replace(/\s+/g, ' ').trim().toLowerCase();
}
