/** The product's name as it may stand in names of tools and in addresses: lower case letters and digits, `_` between. */
export function slugOf(productName: string): string {
  const slug = productName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return slug === '' ? 'docs' : slug;
}

/** What agents call the tools; `index` is there for those who may ask for sources. */
export function productToolNames(productName: string): { search: string; read: string; index: string } {
  const slug = slugOf(productName);
  return { search: `${slug}_search_documentation`, read: `${slug}_read_url`, index: `${slug}_index_source` };
}
