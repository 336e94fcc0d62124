import type { PublicPage } from '#contract/public-page-schema.ts';

/** Id of the element that holds a documentation page's content; the next page replaces its content. */
export const writtenElementId = 'docs';

export interface WrittenPage {
  about: PublicPage;
  html: string;
}

/** Returns the documentation page in a document, or undefined if it contains another page. */
export function writtenPageIn(document: Document): WrittenPage | undefined {
  const element = document.getElementById(writtenElementId);
  if (element === null) return undefined;
  // Written by the build from validated data.
  return { about: JSON.parse(element.dataset['page'] ?? '') as PublicPage, html: element.innerHTML };
}

/** Fetches a documentation page; returns null if the path has none. Throws if the server does not respond. */
export async function fetchWrittenPage(path: string, signal: AbortSignal): Promise<WrittenPage | null> {
  const response = await fetch(path, { signal, headers: { accept: 'text/html' } });
  if (!response.ok && response.status !== 404) throw new Error(`the server answered ${response.status}`);
  const page = writtenPageIn(new DOMParser().parseFromString(await response.text(), 'text/html'));
  return page?.about.path === path ? page : null;
}
