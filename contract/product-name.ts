/** Returns the product's name for use in tool names and addresses: lower case letters and digits, separated by `_`. */
export function slugOf(productName: string): string {
  const slug = productName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return slug === '' ? 'docs' : slug;
}

/** Returns the tools' names for agents; `index` exists for callers who may ask for sources. */
export function productToolNames(productName: string): { search: string; read: string; index: string } {
  const slug = slugOf(productName);
  return { search: `${slug}_search_documentation`, read: `${slug}_read_url`, index: `${slug}_index_source` };
}
