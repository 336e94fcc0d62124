/** A section of at most this many tokens is one snippet; larger ones are cut into even parts below it. */
export const snippetTokensAim = 400;
/** No snippet is longer than this, save one that holds a code block kept whole. */
export const snippetTokensMax = 600;
/** Bound of a snippet with a whole code block: half a screen of code is worth more in one piece than in two. */
export const codeSnippetTokensMax = 1200;
/** Code blocks up to this stay whole; the rest up to the bound is room for heading and lead-in. */
export const wholeCodeTokensMax = 1000;
/** Paragraphs, lists and tables above this are cut between sentences, items and rows when their section must be cut. */
export const wholeBlockTokensMax = 200;
/** No fragment of a cut block is longer than this, save the row of a table, which may have `snippetTokensAim`. */
export const fragmentTokensMax = 250;

/** Neighbours under one parent share a snippet while all of them are below these sizes… */
export const smallSectionTokens = 100;
export const smallTermTokens = 80;
export const smallRestTokens = 60;
/** …and their sum is below this. */
export const mergedTokensMax = 300;
/** An introduction this short is no answer of its own: it goes with the first thing it introduces. */
export const bareIntroTokens = 40;

/** A stretch of a block before it is framed. `joiner` stands between it and the previous stretch of the same block. */
export interface Cut {
  open: string;
  body: string;
  close: string;
  joiner: string;
  /** Tokens with frame (`open` and `close`: fence, table header): exact for whole blocks, else never too few. */
  tokens: number;
}
