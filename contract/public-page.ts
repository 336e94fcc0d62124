/**
 * What pages written at build time say in place of the product's name, the public address and the program that agents start,
 * with its arguments; the server that serves them puts in its own. They stand unchanged in HTML and in addresses.
 */
export const placeholders = {
  productName: 'Product-name-of-this-installation',
  address: 'https://address.invalid',
  program: 'Program-of-this-installation',
  arguments: 'Arguments-of-this-installation',
};

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

/** The same of the status page: each holds the elements of a part of it. */
export const statusPlaceholders = {
  now: 'Present-state-of-this-installation',
  parts: 'Parts-of-this-installation-by-day',
  speed: 'Speed-of-this-installation',
  indexing: 'Indexing-of-this-installation',
  past: 'Past-incidents-of-this-installation',
};
