/** A stretch of a block before it is framed. `joiner` stands between it and the previous stretch of the same block. */
export interface Cut {
  open: string;
  body: string;
  close: string;
  joiner: string;
  /** Tokens with frame (`open` and `close`: fence, table header): exact for whole blocks, else never too few. */
  tokens: number;
}
