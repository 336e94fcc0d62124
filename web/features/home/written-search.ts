import { searchPlaceholders } from '#contract/public-page.ts';

/** The search that the server has written into the page that was loaded. */
export interface WrittenSearch {
  /** Empty where there was nothing to show. */
  query: string;
  suggestions: readonly string[];
  /** Written by the server, which lets no markup of the documentation through. */
  answerHtml: string;
  meterHtml: string;
}

/** Elements that the server writes into, by the attribute that names them. */
export const writtenParts = { suggestions: 'suggestions', answer: 'answer', meter: 'meter' } as const;

/** What is on the page now; undefined when another page was loaded. While pages are written, the server's placeholders. */
export function writtenSearch(): WrittenSearch | undefined {
  if (import.meta.env.SSR) {
    const { query, answer, meter } = searchPlaceholders;
    // No one writes into the pages of the development server.
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
