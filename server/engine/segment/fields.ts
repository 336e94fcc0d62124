/** Fields counted per snippet, in storage order. */
export const snippetFields = ['headings', 'identifiers', 'body', 'code'] as const;
export type SnippetField = (typeof snippetFields)[number];
export const snippetFieldCount = snippetFields.length;

/** Fields counted per page, in storage order. */
export const pageFields = ['title', 'address', 'inbound'] as const;
export type PageField = (typeof pageFields)[number];
export const pageFieldCount = pageFields.length;

/** Largest count of a term stored for each page field. */
export const pageFieldCountMax = [3, 3, 15] as const;
