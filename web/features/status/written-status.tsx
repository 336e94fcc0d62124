import { useState } from 'react';
import { statusPlaceholders } from '#contract/public-page.ts';
import { useIsStarted } from '../../lib/started.ts';

type Part = keyof typeof statusPlaceholders;

/**
 * What the server has written into a part of the page that was loaded, as the browser would show it
 * (`server/http/public-face/written-status.ts`); undefined where there is none. It stands until the same is read here.
 */
export function useWritten(part: Part): string | undefined {
  const [html] = useState(() => writtenHtml(part));
  const isStarted = useIsStarted();
  // What could not be written is taken over as it is, and then asked for.
  const isBare = html === '' || html?.startsWith('<noscript');
  return isStarted && isBare ? undefined : html;
}

/** Written by the server, which lets no markup of incidents and names through. */
export function Written({ part, html }: { part: Part; html: string }) {
  return <div data-written={nameOf(part)} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />;
}

function writtenHtml(part: Part): string | undefined {
  // No one writes into the pages of the development server.
  if (import.meta.env.SSR) return import.meta.env.DEV ? '' : statusPlaceholders[part];
  return document.querySelector(`[data-written="${nameOf(part)}"]`)?.innerHTML;
}

function nameOf(part: Part): string {
  return `status-${part}`;
}
