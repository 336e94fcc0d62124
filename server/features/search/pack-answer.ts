import { countTokensAround } from '#server/ingest/split/tokens.ts';
import type { VersionChoice } from './choose-versions.ts';
import { doubtNotice, isDoubtful } from './doubtful-text.ts';
import { type PackedHit, type PackOptions, packHits } from './pack-hits.ts';
import { withAnchor } from './render.ts';
import { fittingNote } from './search-notes.ts';
import { type HitToRender, type SearchRendering, type SentBeside, searchRenderings } from './search-renderings.ts';
import type { SearchAnswer } from './types.ts';

export interface PackedAnswer extends Pick<SearchAnswer, 'results' | 'note' | 'text' | 'tokens'> {
  hits: PackedHit[];
}

/** Packs the best candidates and the notes into the budget, in the form in which they are sent. */
export function packAnswer({
  rendering,
  beside,
  choices,
  now,
  notes,
  noteWhenEmpty,
  ...options
}: Omit<PackOptions, 'tokensOf'> & {
  rendering: SearchRendering;
  beside: SentBeside;
  choices: VersionChoice[];
  /** Epoch milliseconds. */
  now: number;
  /** Lines below the passages. */
  notes: string[];
  /** The line in place of passages. */
  noteWhenEmpty: string;
}): PackedAnswer {
  const renderer = searchRenderings[rendering];
  // The answer that is sent was counted last, as it was packed.
  let counted = { text: '', tokens: 0 };
  const countOnce = (text: string, hits: PackedHit[]): number => {
    if (text !== counted.text) counted = { text, tokens: countTokensAround(text, hits) };
    return counted.tokens;
  };
  const hitsShown = new Map<PackedHit, HitToRender>();
  const show = (hit: PackedHit): HitToRender => {
    const shown = hitsShown.get(hit) ?? toHit(hit, choices);
    hitsShown.set(hit, shown);
    return shown;
  };
  const packWith = (lines: string[]): PackedHit[] =>
    packHits({
      ...options,
      tokensOf: (packed) => {
        const shown = packed.map(show);
        return countOnce(renderer(shown, lines, now), packed) + beside.tokensOf(shown);
      },
    });
  let lines = notes;
  let hits = packWith(lines);
  // A small budget holds a passage rather than notes.
  if (hits.length === 0 && lines.length > 0) {
    lines = [];
    hits = packWith(lines);
  }
  const shown = hits.map(show);
  if (hits.length === 0) lines = [fittingNote(noteWhenEmpty, options.budget)];
  const text = renderer(shown, lines, now);
  return {
    hits,
    results: shown.map((hit, at) => ({ ...hit, tokens: hits[at]?.tokens ?? 0 })),
    note: lines.length === 0 ? undefined : lines.join('\n'),
    text,
    tokens: countOnce(text, hits),
  };
}

function toHit({ candidate, text }: PackedHit, choices: VersionChoice[]): HitToRender {
  const { snippet, module } = candidate;
  return {
    url: withAnchor(candidate.pageUrl, snippet.anchor),
    passageId: snippet.id,
    title: candidate.title,
    headingPath: snippet.headingPath,
    moduleId: module.moduleId,
    moduleName: module.displayName,
    visibility: module.visibility,
    kind: snippet.kind,
    text,
    ...(isDoubtful(text, candidate.title, ...snippet.headingPath) ? { notice: doubtNotice } : {}),
    score: candidate.score,
    fetchedAt: candidate.fetchedAt,
    version: choices.some(({ chosen }) => chosen.rowId === module.rowId) ? module.version : null,
  };
}
