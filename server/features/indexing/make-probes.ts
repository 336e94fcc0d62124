import { setImmediate as yieldToOthers } from 'node:timers/promises';
import * as limits from '#contract/limits.ts';
import { isHidden, type SegmentView, type Snippet } from '#server/engine/index.ts';
import { askProbes, type ProbeQuestion } from './quality-gate.ts';

/** Candidates per kept question: only questions that the version answers itself are kept. */
const triedPerKept = 2;
/** Passages of a page whose headings are used, so that a page of tens of thousands blocks no request. */
const passagesRead = 1_000;

/**
 * Returns questions that a version answers, generated from its headings and index entries, from pages spread evenly
 * over it. The same version yields the same questions.
 */
export async function makeProbes(views: SegmentView[]): Promise<ProbeQuestion[]> {
  const tried = await questionsOf(views);
  const results = await askProbes(views, tried);
  return tried.filter((_, at) => results[at]?.isAnswered).slice(0, limits.probesGeneratedMax);
}

async function questionsOf(views: SegmentView[]): Promise<ProbeQuestion[]> {
  const pages = views.flatMap(({ segment, hiddenPages }) =>
    Array.from({ length: segment.pageCount }, (_, pageIndex) => ({ segment, pageIndex })).filter(
      ({ pageIndex }) => !isHidden(hiddenPages, pageIndex),
    ),
  );
  const count = Math.min(pages.length, limits.probesGeneratedMax * triedPerKept);
  const questions = new Map<string, ProbeQuestion>();
  for (let at = 0; at < count; at += 1) {
    const picked = pages[Math.floor((at * pages.length) / count)];
    if (picked === undefined) continue;
    const { url, title } = picked.segment.page(picked.pageIndex);
    const question = questionOf(title, picked.segment.pageSnippets(picked.pageIndex, passagesRead), at);
    if (question !== undefined && !questions.has(question)) questions.set(question, { question, address: url });
    // Let requests run in between.
    await yieldToOthers();
  }
  return [...questions.values()];
}

/** Returns a heading with its page's title, or (for every third page, if it has one) an index entry. */
function questionOf(title: string, snippets: Snippet[], at: number): string | undefined {
  const entry = snippets.find(({ identifiers }) => identifiers.length > 0)?.identifiers[0];
  const headings = snippets.flatMap(({ headingPath }) => headingPath.at(-1) ?? []);
  const heading = headings[at % Math.max(1, headings.length)] ?? '';
  const question = at % 3 === 2 && entry !== undefined ? entry : `${heading} ${title}`;
  const line = question.replace(/\s+/g, ' ').trim().slice(0, limits.probeQuestionCharactersMax);
  return /[\p{L}\p{N}]/u.test(line) ? line : undefined;
}
