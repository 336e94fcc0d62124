/** The product's name as it may stand in names of tools and in addresses: lower case letters and digits, `_` between. */
export function slugOf(productName: string): string {
  const slug = productName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return slug === '' ? 'docs' : slug;
}

/** What agents call the two tools. */
export function productToolNames(productName: string): { search: string; read: string } {
  const slug = slugOf(productName);
  return { search: `${slug}_search_documentation`, read: `${slug}_read_url` };
}
