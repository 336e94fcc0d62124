import type { Markdown } from '../../ui/markdown.tsx';

let component: typeof Markdown | undefined;

/**
 * Loads the Markdown component, a large bundle that a page without incidents does not need. If loading fails, the text
 * stays readable as plain text.
 */
export async function loadMarkdown(): Promise<void> {
  component ??= await import('../../ui/markdown.tsx').then(
    (part) => part.Markdown,
    () => undefined,
  );
}

/** Returns the Markdown component once {@link loadMarkdown} has finished. */
export function loadedMarkdown(): typeof Markdown | undefined {
  return component;
}
