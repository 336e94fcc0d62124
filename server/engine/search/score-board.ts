/** Scores of one segment while a query runs. All zero between queries. */
export interface ScoreBoard {
  snippets: Float64Array;
  pages: Float64Array;
  /** Of each page: the score of its best snippet. Scores only grow, so it is kept as they do. */
  tops: Float64Array;
  /** Pages that have any score, each once; the first `touchedCount` entries. */
  touched: Uint32Array;
  touchedCount: number;
  isTouched: Uint8Array;
}

const boards = new WeakMap<object, ScoreBoard>();

/** The board of a segment, kept as long as the segment: 8 bytes a snippet and 21 a page. */
export function boardFor(segment: { snippetCount: number; pageCount: number }): ScoreBoard {
  const known = boards.get(segment);
  if (known !== undefined) return known;
  const board = {
    snippets: new Float64Array(segment.snippetCount),
    pages: new Float64Array(segment.pageCount),
    tops: new Float64Array(segment.pageCount),
    touched: new Uint32Array(segment.pageCount),
    touchedCount: 0,
    isTouched: new Uint8Array(segment.pageCount),
  };
  boards.set(segment, board);
  return board;
}

export function addToPage(board: ScoreBoard, page: number, score: number): void {
  board.pages[page] = (board.pages[page] as number) + score;
  if (board.isTouched[page] === 1) return;
  board.isTouched[page] = 1;
  board.touched[board.touchedCount] = page;
  board.touchedCount += 1;
}

/** Sets everything back to zero at the cost of what was touched. */
export function clearBoard(board: ScoreBoard, pageFirst: Uint32Array): void {
  for (let at = 0; at < board.touchedCount; at += 1) {
    const page = board.touched[at] as number;
    const end = pageFirst[page + 1] as number;
    // A loop: pages have few snippets, and a call costs as much as many of them.
    for (let snippet = pageFirst[page] as number; snippet < end; snippet += 1) board.snippets[snippet] = 0;
    board.pages[page] = 0;
    board.tops[page] = 0;
    board.isTouched[page] = 0;
  }
  board.touchedCount = 0;
}
