import { SnippetCursor } from '#server/engine/search/posting-cursor.ts';

/** Counts the postings of snippets that searches of this process decode from now on, in place of the engine's own steps. */
export function countPostings(): { read(): number } {
  let count = 0;
  const { next } = SnippetCursor.prototype;
  SnippetCursor.prototype.next = function counted(this: SnippetCursor): void {
    count += 1;
    next.call(this);
  };
  return { read: () => count };
}
