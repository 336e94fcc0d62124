/**
 * Placeholders in pages written at build time for the product's name, the public address, and the program that agents
 * start with its arguments; the server replaces them when it serves a page. They need no escaping in HTML and
 * addresses.
 */
export const placeholders = {
  productName: 'Product-name-of-this-installation',
  address: 'https://address.invalid',
  program: 'Program-of-this-installation',
  arguments: 'Arguments-of-this-installation',
};

/** Returns the path of a public page's Markdown. */
export function markdownPathOf(path: string): string {
  return path === '/' ? '/index.md' : `${path}.md`;
}

/**
 * Placeholders on the home page for a live search; the server replaces them. `query` is in an attribute, the others
 * hold elements.
 */
export const searchPlaceholders = {
  query: 'Query-of-a-search-of-this-installation',
  suggestions: 'Suggestions-of-searches-of-this-installation',
  answer: 'Answer-of-a-search-of-this-installation',
  meter: 'Meter-of-a-search-of-this-installation',
};

/** Placeholders on the status page; each holds the elements of one section. */
export const statusPlaceholders = {
  now: 'Present-state-of-this-installation',
  parts: 'Parts-of-this-installation-by-day',
  speed: 'Speed-of-this-installation',
  indexing: 'Indexing-of-this-installation',
  past: 'Past-incidents-of-this-installation',
};
