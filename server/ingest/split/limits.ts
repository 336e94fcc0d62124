/** A section with at most this many tokens is one snippet; larger ones are cut into even parts below this size. */
export const snippetTokensAim = 400;
/** Maximum size of a snippet, except one with a whole code block. */
export const snippetTokensMax = 600;
/** Maximum size of a snippet with a whole code block: half a screen of code is more useful in one piece. */
export const codeSnippetTokensMax = 1200;
/** Code blocks up to this size stay whole; the difference to the maximum leaves room for heading and lead-in. */
export const wholeCodeTokensMax = 1000;
/** Paragraphs, lists and tables above this are cut between sentences, items and rows if their section must be cut. */
export const wholeBlockTokensMax = 200;
/** Maximum size of a fragment of a cut block, except a table row, which may have `snippetTokensAim`. */
export const fragmentTokensMax = 250;

/** Siblings share a snippet if all of them are below these sizes… */
export const smallSectionTokens = 100;
export const smallTermTokens = 80;
export const smallRestTokens = 60;
/** …and their sum is below this. */
export const mergedTokensMax = 300;
/** An introduction this short is not useful alone: it goes with the first thing it introduces. */
export const bareIntroTokens = 40;

/** A part of a block before its frame is added. `joiner` is the text between it and the block's previous part. */
export interface Cut {
  open: string;
  body: string;
  close: string;
  joiner: string;
  /**
   * Tokens including the frame (`open` and `close`: fence, table header): exact for whole blocks, otherwise an upper
   * bound.
   */
  tokens: number;
}
