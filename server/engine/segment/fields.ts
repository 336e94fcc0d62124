/** Fields counted per snippet, in the order in which they are stored. */
export const snippetFields = ['headings', 'identifiers', 'body', 'code'] as const;
export type SnippetField = (typeof snippetFields)[number];
export const snippetFieldCount = snippetFields.length;

/** Fields counted once per page, in the order in which they are stored. */
export const pageFields = ['title', 'address', 'inbound'] as const;
export type PageField = (typeof pageFields)[number];
export const pageFieldCount = pageFields.length;

/** Largest count of a term in a page field that is distinguished. */
export const pageFieldCountMax = [3, 3, 15] as const;
