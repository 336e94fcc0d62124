import type { PublicPage } from '#contract/public-page-schema.ts';

/** The element of a page of documentation that holds all of it; the same element holds the next page. */
export const writtenElementId = 'docs';

export interface WrittenPage {
  about: PublicPage;
  html: string;
}

/** The page of documentation that a document holds; undefined when it is another page. */
export function writtenPageIn(document: Document): WrittenPage | undefined {
  const element = document.getElementById(writtenElementId);
  if (element === null) return undefined;
  // Written by the build from what it has checked.
  return { about: JSON.parse(element.dataset['page'] ?? '') as PublicPage, html: element.innerHTML };
}

/** Fetches a page of documentation; null when there is none at this path. Throws when the server does not answer. */
export async function fetchWrittenPage(path: string, signal: AbortSignal): Promise<WrittenPage | null> {
  const response = await fetch(path, { signal, headers: { accept: 'text/html' } });
  if (!response.ok && response.status !== 404) throw new Error(`the server answered ${response.status}`);
  const page = writtenPageIn(new DOMParser().parseFromString(await response.text(), 'text/html'));
  return page?.about.path === path ? page : null;
}
