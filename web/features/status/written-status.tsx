import { useState } from 'react';
import { statusPlaceholders } from '#contract/public-page.ts';
import { useIsStarted } from '../../lib/started.ts';

type Part = keyof typeof statusPlaceholders;

/**
 * Returns the HTML that the server wrote into a part of the loaded page, identical to what the browser would render
 * (`server/http/public-face/written-status.ts`); undefined if there is none. It stays until the browser has loaded the
 * same data.
 */
export function useWritten(part: Part): string | undefined {
  const [html] = useState(() => writtenHtml(part));
  const isStarted = useIsStarted();
  // An empty part is hydrated as it is; its data is then requested.
  const isBare = html === '' || html?.startsWith('<noscript');
  return isStarted && isBare ? undefined : html;
}

/** HTML from the server, which escapes all markup in incidents and names. */
export function Written({ part, html }: { part: Part; html: string }) {
  return <div data-written={nameOf(part)} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />;
}

function writtenHtml(part: Part): string | undefined {
  // The development server does not fill the placeholders.
  if (import.meta.env.SSR) return import.meta.env.DEV ? '' : statusPlaceholders[part];
  return document.querySelector(`[data-written="${nameOf(part)}"]`)?.innerHTML;
}

function nameOf(part: Part): string {
  return `status-${part}`;
}
