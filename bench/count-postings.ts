import { SnippetCursor } from '#server/engine/search/posting-cursor.ts';

/** Counts the snippet postings that this process's searches decode from now on, by wrapping the engine's cursor. */
export function countPostings(): { read(): number } {
  let count = 0;
  const { next } = SnippetCursor.prototype;
  SnippetCursor.prototype.next = function counted(this: SnippetCursor): void {
    count += 1;
    next.call(this);
  };
  return { read: () => count };
}
