import { escapeUTF8 } from 'entities/escape';
import { answerBlocks, answerMark } from '#contract/answer-blocks.ts';
import { documentPath } from '#contract/document-path.ts';
import * as limits from '#contract/limits.ts';
import { searchPlaceholders } from '#contract/public-page.ts';
import type { Showcase, TriedSearch } from '#contract/try-search.ts';

const tokensPerCell = 50;
const rows = 4;
const step = 10;
const cell = 7;
const columns = limits.baselineTokens / tokensPerCell / rows;

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/**
 * Inserts a search of this installation into the home page, as the browser would render it (`web/features/home`): the
 * result, suggested questions and costs. Visible before and without scripts. Without a search to show, only readers
 * without scripts see a note.
 */
export function withSearch(page: string, showcase: Showcase | undefined): string {
  if (!page.includes(searchPlaceholders.answer)) return page;
  const example = showcase?.example ?? undefined;
  const parts: Record<keyof typeof searchPlaceholders, string> =
    showcase === undefined || example === undefined
      ? { query: '', suggestions: '', answer: nothing(showcase), meter: '' }
      : {
          query: escapeUTF8(example.query),
          suggestions: suggestionsOf(showcase.suggestions, example.query),
          answer: answerOf(example.text),
          meter: meterOf(example),
        };
  // Replaced in one pass, because documentation may contain a placeholder's text.
  return page.replace(placeholder, (words) => parts[partNames.get(words) ?? 'answer']);
}

const partNames = new Map(
  Object.entries(searchPlaceholders).map(([name, words]) => [words, name as keyof typeof searchPlaceholders]),
);
const placeholder = new RegExp([...partNames.keys()].join('|'), 'g');

function nothing(showcase: Showcase | undefined): string {
  const reason =
    showcase?.moduleCount === 0
      ? 'Nothing is indexed here yet.'
      : 'A script shows the answer here. Without scripts, search with an agent or on the command line.';
  return `<noscript><p class="font-sans text-sm text-soft">${reason}</p></noscript>`;
}

function suggestionsOf(suggestions: readonly string[], chosen: string): string {
  if (suggestions.length === 0) return '';
  const items = suggestions.map(
    (query) =>
      `<li><button type="button" aria-pressed="${query === chosen}" class="h-7 select-none whitespace-nowrap rounded-full border border-line px-3 text-soft text-xs transition-colors duration-100 hover:border-line-strong hover:text-ink aria-pressed:border-lamp-line aria-pressed:bg-lamp-ground aria-pressed:text-ink">${escapeUTF8(query)}</button></li>`,
  );
  return `<ul aria-label="Queries to try" class="flex gap-2">${items.join('')}</ul>`;
}

function answerOf(text: string): string {
  const blocks = answerBlocks(text).map(({ head, address, body }) => {
    const words = head === undefined ? '' : escapeUTF8(head);
    const linked =
      address === undefined
        ? words
        : `<a class="rounded-xs underline decoration-lamp-line underline-offset-3 hover:decoration-lamp" href="${escapeUTF8(documentPath(address))}">${words}</a>`;
    const first =
      head === undefined
        ? ''
        : `<p class="wrap-anywhere text-lamp"><span aria-hidden="true">${answerMark}</span>${linked}</p>`;
    const rest =
      body === '' ? '' : `<pre class="wrap-anywhere whitespace-pre-wrap text-soft">${escapeUTF8(body)}</pre>`;
    return `<div class="min-w-0">${first}${rest}</div>`;
  });
  return `<div class="flex flex-col gap-4">${blocks.join('')}</div>`;
}

function meterOf({ tokens, results, searchedSnippets, tookMs }: TriedSearch): string {
  const percent = Math.round((1 - tokens / limits.baselineTokens) * 100);
  const passages = `${count.format(results.length)} ${results.length === 1 ? 'passage' : 'passages'}`;
  const time = tookMs < 1 ? `${oneDigit.format(Math.max(tookMs, 0.1))} ms` : `${count.format(tookMs)} ms`;
  return [
    '<div role="status" class="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">',
    `<p class="flex items-baseline gap-2"><span class="font-display text-4xl text-lamp leading-none tracking-tight">${count.format(tokens)}</span> <span class="text-soft text-sm">tokens</span></p>`,
    `<p class="text-faint text-sm"><span class="text-ink">${percent}% below</span> the ${count.format(limits.baselineTokens)}-token baseline</p>`,
    '</div>',
    fieldOf(tokens),
    `<p class="mt-3 min-h-4.5 text-faint text-xs">${passages} out of ${compact.format(searchedSnippets)}, found in ${time} on this installation</p>`,
  ].join('');
}

/** Renders a look-up's tokens as cells; those of the answer are lit. */
function fieldOf(tokens: number): string {
  const lit = Math.min(Math.ceil(tokens / tokensPerCell), rows * columns);
  const cells = Array.from(
    { length: lit },
    (_, at) =>
      `<rect x="${Math.floor(at / rows) * step}" y="${(at % rows) * step}" width="${cell}" height="${cell}" rx="1.5" class="fill-lamp"/>`,
  );
  const [width, height] = [columns * step, rows * step];
  return [
    `<svg viewBox="0 0 ${width - (step - cell)} ${height - (step - cell)}" aria-hidden="true" class="block h-auto w-full">`,
    `<defs><pattern id="unlit-tokens" width="${step}" height="${step}" patternUnits="userSpaceOnUse"><rect width="${cell}" height="${cell}" rx="1.5" class="fill-line"/></pattern></defs>`,
    `<rect width="${width}" height="${height}" fill="url(#unlit-tokens)"/><g>${cells.join('')}</g></svg>`,
  ].join('');
}
