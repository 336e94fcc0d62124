/** The product's name as it may stand in names of tools and in addresses: lower case letters and digits, `_` between. */
export function slugOf(productName: string): string {
  const slug = productName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return slug === '' ? 'docs' : slug;
}
