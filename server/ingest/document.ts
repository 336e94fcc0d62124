/** A block of a document in reading order. Sections are implied: by headings, and by terms with their span. */
export interface Block {
  type: 'heading' | 'term' | 'paragraph' | 'list' | 'code' | 'table' | 'quote' | 'admonition';
  /**
   * The block as Markdown, complete by itself, no trailing newline. Headings: inline Markdown without the `#` marks.
   * Terms (the `dt` of a definition list, an API signature): inline Markdown or a one-line code span.
   * Code: with its fence. Tables: GFM with header and delimiter row. Admonitions: a quote that starts with the bold label.
   */
  markdown: string;
  /** Id that addresses this block: its own, or that of the nearest enclosing element that starts here. */
  anchor?: string;
  /** Further ids of the same place, such as a label that the author gave a heading; of a paragraph, those within its text. */
  aliases?: string[];
  /** Ids within the block: those of items, rows and lines, and those that a generator made. In the order of their lines. */
  places?: Place[];
  /** Headings: 1 to 6. Terms: 1 for the outermost definition list, 2 for one inside its body, and so on. */
  depth?: number;
  /** Terms: number of blocks after this one that are its body (nested terms and their bodies included). */
  span?: number;
  /** Code: language in lower case when the source says it. */
  language?: string;
  /** Headings and terms: the names defined here, for example `asyncio.create_task`, `--no-verify`, `E0382`. */
  identifiers?: string[];
  /** Headings and terms: what they open (an operation, a declaration) is a snippet by itself, and one in as far as it fits. */
  isAlone?: boolean;
}

/** An id, and the line of its block's Markdown that it stands on; the first is 0. */
export interface Place {
  id: string;
  line: number;
}

/** The ids by which a block is found. */
export type Placed = Pick<Block, 'anchor' | 'aliases' | 'places'>;

/** A link found in the main content or the navigation of a page; absolute, fragment kept. */
export interface Link {
  url: string;
  text: string;
  /** False for links from navigation, header and footer: followed by a crawl, ignored as evidence. */
  fromContent: boolean;
  /** The link, or the whole page, says `rel=nofollow`. */
  isNofollow: boolean;
}

/** What an extractor makes of one file or page. */
export interface ExtractedDocument {
  title: string;
  /** What the page calls the site that it belongs to, where it says so. */
  siteName?: string;
  /** Absolute address from `<link rel=canonical>`. */
  canonicalUrl?: string;
  /** Robots meta says `noindex`. */
  isNoindex: boolean;
  /** A page that only sends the reader on (`meta refresh`): the absolute target. */
  refreshUrl?: string;
  /** Address of a Markdown twin declared by the page (`<link rel=alternate type=text/markdown>`). */
  markdownUrl?: string;
  /** Text is missing that scripts of the page would add. */
  needsScripts?: boolean;
  blocks: Block[];
  links: Link[];
}
