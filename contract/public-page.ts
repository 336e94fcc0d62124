/**
 * What pages written at build time say in place of the product's name and the public address; the server that serves
 * them puts in its own. Both stand unchanged in HTML and in addresses.
 */
export const placeholders = { productName: 'Product-name-of-this-installation', address: 'https://address.invalid' };

/** Where the Markdown of a public page is. */
export function markdownPathOf(path: string): string {
  return path === '/' ? '/index.md' : `${path}.md`;
}

/**
 * What the home page says in place of a search of this installation; the server that serves it puts in its own. `query`
 * stands in an attribute, the others hold elements.
 */
export const searchPlaceholders = {
  query: 'Query-of-a-search-of-this-installation',
  suggestions: 'Suggestions-of-searches-of-this-installation',
  answer: 'Answer-of-a-search-of-this-installation',
  meter: 'Meter-of-a-search-of-this-installation',
};
