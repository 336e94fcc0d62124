import { useCallback, useEffect, useRef, useState } from 'react';
import type { Document, DocumentSnippet } from '#contract/documents.ts';

export function passageId(index: number): string {
  return `passage-${index}`;
}

export interface Place {
  index: number;
  /** Anchor of the requested section's heading, if it shares the passage with earlier sections. */
  heading?: string | undefined;
}

/** Returns the place of an anchor on a page, or undefined if neither the outline nor the passages shown contain it. */
export function placeOfAnchor(document: Document, snippets: DocumentSnippet[], anchor: string): Place | undefined {
  if (anchor === '') return undefined;
  const passage = snippets.find((snippet) => snippet.anchor === anchor);
  if (passage !== undefined) return { index: passage.index };
  const entry = document.outline.find((known) => known.anchor === anchor);
  return entry && { index: entry.index, heading: entry.text };
}

/**
 * Scrolls a passage, or a heading in it, to the top of the window and focuses the passage. Returns false if it is not
 * on the page yet.
 */
export function goToPassage({ index, heading }: Place): boolean {
  const element = document.getElementById(passageId(index));
  if (element === null) return false;
  scrollTo(element, heading);
  element.focus({ preventScroll: true });
  return true;
}

function scrollTo(passage: HTMLElement, heading: string | undefined): void {
  const headings = heading === undefined ? [] : [...passage.querySelectorAll('.prose :is(h1, h2, h3, h4, h5, h6)')];
  const meant = headings.find(({ textContent }) => textContent.trim() === heading) ?? passage;
  meant.scrollIntoView({ block: 'start' });
}

/** Events that mean the reader has moved on. */
const moves = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/**
 * Returns a function that keeps a passage at the top of the window while the page around it grows, until the reader
 * moves.
 */
export function useHeldPassage(): (place: Place) => void {
  const letGo = useRef(() => {});
  useEffect(() => () => letGo.current(), []);
  return useCallback(({ index, heading }) => {
    letGo.current();
    const element = document.getElementById(passageId(index));
    const room = element?.parentElement;
    if (!element || !room) return;
    const observer = new ResizeObserver(() => scrollTo(element, heading));
    observer.observe(room);
    letGo.current = () => {
      observer.disconnect();
      for (const move of moves) window.removeEventListener(move, letGo.current);
      letGo.current = () => {};
    };
    for (const move of moves) window.addEventListener(move, letGo.current, { passive: true });
  }, []);
}

/** Returns the passage being read: the last one whose start is above the bottom of the window's upper third. */
export function useCurrentPassage(snippets: DocumentSnippet[]): number {
  const [current, setCurrent] = useState(0);
  const first = snippets[0]?.index ?? 0;
  const last = snippets.at(-1)?.index ?? 0;
  const visible = useRef(new Set<number>());
  useEffect(() => {
    const seen = visible.current;
    seen.clear();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const index = Number((target as HTMLElement).dataset.passage);
          if (isIntersecting) seen.add(index);
          else seen.delete(index);
        }
        if (seen.size > 0) setCurrent(Math.min(...seen));
      },
      { rootMargin: '-90px 0px -55% 0px' },
    );
    for (let index = first; index <= last; index += 1) {
      const element = document.getElementById(passageId(index));
      if (element !== null) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [first, last]);
  return current;
}
