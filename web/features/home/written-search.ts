import { searchPlaceholders } from '#contract/public-page.ts';

/** The search that the server wrote into the loaded page. */
export interface WrittenSearch {
  /** Empty if there was nothing to show. */
  query: string;
  suggestions: readonly string[];
  /** HTML from the server, which escapes all markup of the documentation. */
  answerHtml: string;
  meterHtml: string;
}

/** Elements that the server fills, by their identifying attribute. */
export const writtenParts = { suggestions: 'suggestions', answer: 'answer', meter: 'meter' } as const;

/**
 * Returns the search in the loaded page, or undefined if another page was loaded. During prerendering, returns the
 * server's placeholders.
 */
export function writtenSearch(): WrittenSearch | undefined {
  if (import.meta.env.SSR) {
    const { query, answer, meter } = searchPlaceholders;
    // The development server does not fill the placeholders.
    return import.meta.env.DEV
      ? { query: '', suggestions: [], answerHtml: '', meterHtml: '' }
      : { query, suggestions: [], answerHtml: answer, meterHtml: meter };
  }
  const part = (name: keyof typeof writtenParts) => document.querySelector(`[data-written="${name}"]`);
  const answer = part('answer');
  if (answer === null) return undefined;
  return {
    query: document.querySelector('[data-written-query]')?.getAttribute('value') ?? '',
    suggestions: [...(part('suggestions')?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent),
    answerHtml: answer.innerHTML,
    meterHtml: part('meter')?.innerHTML ?? '',
  };
}
