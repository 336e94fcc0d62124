interface PeerFigures {
  /** Name in `bench/peers.json`, the source of these figures; a test compares them. */
  peer: string;
  /** Undefined for this product, whose name the installation sets. */
  name?: string;
  /** Share of questions whose answer was in the response. */
  answerFound: number;
  /** Mean tokens per response. */
  meanTokens: number;
}

/** Results of the last `./lectern peers` run. */
export const peerFigures: readonly PeerFigures[] = [
  { peer: 'lectern', answerFound: 0.9, meanTokens: 1_902 },
  { peer: 'context-mode', name: 'context-mode', answerFound: 0.767, meanTokens: 864 },
  { peer: 'qmd-lex', name: 'qmd, keyword search', answerFound: 0.333, meanTokens: 554 },
];
