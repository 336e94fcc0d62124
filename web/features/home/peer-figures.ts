interface PeerFigures {
  /** Its name in `bench/peers.json`, which these figures are from; a test compares them. */
  peer: string;
  /** Undefined: this product, whatever the installation calls it. */
  name?: string;
  /** Share of the questions whose answer was in the response. */
  answerFound: number;
  /** Tokens of a response. */
  meanTokens: number;
}

/** What `./lectern peers` measured last. */
export const peerFigures: readonly PeerFigures[] = [
  { peer: 'lectern', answerFound: 0.9, meanTokens: 1_902 },
  { peer: 'context-mode', name: 'context-mode', answerFound: 0.767, meanTokens: 864 },
  { peer: 'qmd-lex', name: 'qmd, by words', answerFound: 0.333, meanTokens: 554 },
];
