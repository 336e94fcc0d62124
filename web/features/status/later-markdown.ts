import type { Markdown } from '../../ui/markdown.tsx';

let component: typeof Markdown | undefined;

/**
 * Loads what shows Markdown, which is code of some size that a page without incidents does without. Where it cannot be
 * loaded, what was said stays readable as plain text.
 */
export async function loadMarkdown(): Promise<void> {
  component ??= await import('../../ui/markdown.tsx').then(
    (part) => part.Markdown,
    () => undefined,
  );
}

/** What shows Markdown, once {@link loadMarkdown} has ended. */
export function loadedMarkdown(): typeof Markdown | undefined {
  return component;
}
