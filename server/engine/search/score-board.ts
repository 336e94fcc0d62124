/** Scores of one segment while a query runs, 8 bytes per snippet and 21 per page. All zero between segments. */
export interface ScoreBoard {
  snippets: Float64Array;
  pages: Float64Array;
  /** Best snippet score of each page. Scores only grow, so the maximum is updated as they do. */
  tops: Float64Array;
  /** Pages with any score, each once; only the first `touchedCount` entries are valid. */
  touched: Uint32Array;
  touchedCount: number;
  isTouched: Uint8Array;
}

let board = boardOf(0, 0);

/**
 * Returns the cleared board for a segment. All segments share one board, which stays in the processor's cache. The
 * caller must clear it before it is requested again.
 */
export function boardFor({ snippetCount, pageCount }: { snippetCount: number; pageCount: number }): ScoreBoard {
  if (board.snippets.length < snippetCount || board.pages.length < pageCount) {
    board = boardOf(Math.max(board.snippets.length, snippetCount), Math.max(board.pages.length, pageCount));
  }
  return board;
}

function boardOf(snippetCount: number, pageCount: number): ScoreBoard {
  return {
    snippets: new Float64Array(snippetCount),
    pages: new Float64Array(pageCount),
    tops: new Float64Array(pageCount),
    touched: new Uint32Array(pageCount),
    touchedCount: 0,
    isTouched: new Uint8Array(pageCount),
  };
}

export function addToPage(board: ScoreBoard, page: number, score: number): void {
  board.pages[page] = (board.pages[page] as number) + score;
  if (board.isTouched[page] === 1) return;
  board.isTouched[page] = 1;
  board.touched[board.touchedCount] = page;
  board.touchedCount += 1;
}

/** Clears the board in time proportional to the entries touched. */
export function clearBoard(board: ScoreBoard, pageFirst: Uint32Array): void {
  for (let at = 0; at < board.touchedCount; at += 1) {
    const page = board.touched[at] as number;
    const end = pageFirst[page + 1] as number;
    // A loop instead of `fill`: pages have few snippets, and a call costs as much as writing many of them.
    for (let snippet = pageFirst[page] as number; snippet < end; snippet += 1) board.snippets[snippet] = 0;
    board.pages[page] = 0;
    board.tops[page] = 0;
    board.isTouched[page] = 0;
  }
  board.touchedCount = 0;
}
