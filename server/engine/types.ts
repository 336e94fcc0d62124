/** What a snippet mostly is; decides how it is packed and ranked. */
export type SnippetKind = 'prose' | 'code' | 'api' | 'table';

/** One retrievable passage: a whole section where it fits, else a part of one. */
export interface Snippet {
  /** Stable: depends on page address, anchor, position among equal texts and text only. */
  id: string;
  /** Fragment (without `#`) that addresses this passage on its page; empty when the page has none before it. */
  anchor: string;
  /** Headings from the outermost below the page title to the nearest above the passage, plain text. */
  headingPath: string[];
  kind: SnippetKind;
  /** Names this passage defines (functions, options, settings, error codes), as written. */
  identifiers: string[];
  /** Markdown. */
  text: string;
  /** o200k_base tokens of `text`. */
  tokens: number;
  /** What begins in the passage, the first included; only where that is more than one section with an address of its own. */
  sections?: SnippetSection[];
  /** Further fragments (without `#`) that lead into the passage: of items, rows, lines and words of its text. */
  places?: string[];
}

/** One of several sections that share a passage. */
export interface SnippetSection {
  /** Fragment (without `#`) of its heading or term; empty when it has none. */
  anchor: string;
  headingPath: string[];
  /** Of its part of the passage. */
  tokens: number;
  /** An entry of a list (an option, a parameter, a member), which ends where the next begins. */
  isEntry?: true;
  /** Further fragments that lead to it. */
  aliases?: string[];
}

/** One page of a module, in reading order. A page without snippets marks a page that is gone. */
export interface PageRecord {
  /** Absolute canonical address without fragment. */
  url: string;
  title: string;
  /** Epoch milliseconds. */
  fetchedAt: number;
  etag?: string;
  lastModified?: string;
  /** SHA-256 (hex) of the bytes received, to tell an unchanged page without validators. */
  contentHash: string;
  /** Source revision, where the source has one (git). */
  revision?: string;
  /** Texts of links on other pages of the module that point here, most frequent first, at most 8. */
  inboundAnchors?: string[];
  snippets: Snippet[];
}

/** Random access to an immutable file. Offsets and lengths in bytes; reading past the end throws RangeError. */
export interface ByteSource {
  readonly byteLength: number;
  /** Where all of it lies on the local disk; left out where it does not. */
  readonly file?: string;
  read(offset: number, length: number): Uint8Array;
  /** Fills the target with the bytes at an offset, where that takes no copy. */
  readInto?(target: Uint8Array, offset: number): void;
}
