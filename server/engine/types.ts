/** The main content of a snippet; decides how the snippet is packed and ranked. */
export type SnippetKind = 'prose' | 'code' | 'api' | 'table';

/** One retrievable passage: a whole section if it fits, otherwise a part of one. */
export interface Snippet {
  /** Stable: depends only on the page address, the anchor, the text, and the position among equal texts. */
  id: string;
  /** Fragment (without `#`) that addresses this passage on its page; empty if the page has no anchor before it. */
  anchor: string;
  /** Plain-text headings from the outermost below the page title to the nearest above the passage. */
  headingPath: string[];
  kind: SnippetKind;
  /** Names this passage defines (functions, options, settings, error codes), as spelled there. */
  identifiers: string[];
  /** Markdown. */
  text: string;
  /** o200k_base tokens of `text`. */
  tokens: number;
  /**
   * Sections that begin in the passage, including the first; set only if the passage has several sections with their
   * own address.
   */
  sections?: SnippetSection[];
  /** Further fragments (without `#`) that lead into the passage: to items, rows, lines and words of its text. */
  places?: string[];
}

/** One of several sections that share a passage. */
export interface SnippetSection {
  /** Fragment (without `#`) of the section's heading or term; empty when it has none. */
  anchor: string;
  headingPath: string[];
  /** Tokens of the section's text. */
  tokens: number;
  /** True for a list entry (an option, a parameter, a member), which ends where the next entry begins. */
  isEntry?: true;
  /** Further fragments that lead to the section. */
  aliases?: string[];
}

/** One page of a module, in reading order. A page without snippets marks a deleted page. */
export interface PageRecord {
  /** Absolute canonical address without fragment. */
  url: string;
  title: string;
  /** Epoch milliseconds. */
  fetchedAt: number;
  etag?: string;
  lastModified?: string;
  /** SHA-256 (hex) of the received bytes; detects an unchanged page when the server sends no validators. */
  contentHash: string;
  /** Source revision, for sources that have one (git). */
  revision?: string;
  /** Link texts from other pages of the module that point to this page, most frequent first, at most 8. */
  inboundAnchors?: string[];
  snippets: Snippet[];
}

/** Random access to an immutable file. Offsets and lengths in bytes; reading past the end throws RangeError. */
export interface ByteSource {
  readonly byteLength: number;
  /** Path of the complete file on the local disk; left out if it has none. */
  readonly file?: string;
  read(offset: number, length: number): Uint8Array;
  /** Fills the target with the bytes at an offset; available where this needs no copy. */
  readInto?(target: Uint8Array, offset: number): void;
}
