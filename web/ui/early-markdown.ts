import { lazy } from 'react';

const load = () => import('./markdown.tsx').then((part) => ({ default: part.Markdown }));

/**
 * The Markdown component, a large bundle. Text is readable before it has loaded, but moves what is below it when it is
 * laid out again: call {@link startMarkdown} together with the server, so that it usually arrives first.
 */
export const EarlyMarkdown = lazy(load);

export function startMarkdown(): void {
  // A failure shows where the component is used.
  load().catch(() => undefined);
}
