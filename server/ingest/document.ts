/** A block of a document in reading order. Sections are implied by headings, and by terms with their span. */
export interface Block {
  type: 'heading' | 'term' | 'paragraph' | 'list' | 'code' | 'table' | 'quote' | 'admonition';
  /**
   * The block as complete Markdown without trailing newline. Headings: inline Markdown without the `#` marks. Terms
   * (the `dt` of a definition list, an API signature): inline Markdown or a one-line code span. Code: with its fence.
   * Tables: GFM with header and delimiter row. Admonitions: a quote that starts with the bold label.
   */
  markdown: string;
  /** Id that links to this block: its own, or that of the nearest enclosing element that starts here. */
  anchor?: string;
  /**
   * Other ids of the same place, such as a label that the author gave a heading; for a paragraph, the ids within its
   * text.
   */
  aliases?: string[];
  /** Ids within the block, in line order: those of items, rows and lines, and generated ones. */
  places?: Place[];
  /** Headings: 1 to 6. Terms: 1 for the outermost definition list, 2 for one inside its body, and so on. */
  depth?: number;
  /** Terms: number of blocks after this one that are its body (nested terms and their bodies included). */
  span?: number;
  /** Code: language in lower case if the source names it. */
  language?: string;
  /** Headings and terms: the names defined here, for example `asyncio.create_task`, `--no-verify`, `E0382`. */
  identifiers?: string[];
  /**
   * Headings and terms: true if the section they open (an operation, a declaration) is a separate snippet, whole if it
   * fits.
   */
  isAlone?: boolean;
}

/** An id and its line in the block's Markdown; the first line is 0. */
export interface Place {
  id: string;
  line: number;
}

/** The ids that lead to a block. */
export type Placed = Pick<Block, 'anchor' | 'aliases' | 'places'>;

/** A link in a page's main content or navigation; absolute, with fragment. */
export interface Link {
  url: string;
  text: string;
  /** False for links in navigation, header and footer: the crawl follows them, but they do not count as evidence. */
  fromContent: boolean;
  /** True if the link or the whole page has `rel=nofollow`. */
  isNofollow: boolean;
}

/** An extractor's result for one file or page. */
export interface ExtractedDocument {
  title: string;
  /** The site's name as declared by the page. */
  siteName?: string;
  /** Absolute address from `<link rel=canonical>`. */
  canonicalUrl?: string;
  /** True if the robots meta tag has `noindex`. */
  isNoindex: boolean;
  /** Absolute target of a page that only redirects the reader (`meta refresh`). */
  refreshUrl?: string;
  /** Address of a Markdown twin declared by the page (`<link rel=alternate type=text/markdown>`). */
  markdownUrl?: string;
  /** True if text is missing that the page's scripts would add. */
  needsScripts?: boolean;
  blocks: Block[];
  links: Link[];
}
