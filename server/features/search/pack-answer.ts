import { countTokens } from '#server/ingest/split/tokens.ts';
import type { VersionChoice } from './choose-versions.ts';
import { doubtNotice, isDoubtful } from './doubtful-text.ts';
import { type PackedHit, type PackOptions, packHits } from './pack-hits.ts';
import { withAnchor } from './render.ts';
import { fittingNote } from './search-notes.ts';
import {
  answerCounter,
  type HitToRender,
  type SearchRendering,
  type SentBeside,
  searchRenderings,
} from './search-renderings.ts';
import type { SearchAnswer } from './types.ts';

export interface PackedAnswer extends Pick<SearchAnswer, 'results' | 'note' | 'text' | 'tokens'> {
  hits: PackedHit[];
}

/** Packs the best candidates and the notes into the budget, in the rendering that is sent. */
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
  /** Current time in epoch milliseconds. */
  now: number;
  /** Lines below the passages. */
  notes: string[];
  /** Returns the note to show if there are no passages. */
  noteWhenEmpty: () => string;
}): PackedAnswer {
  const tokensKnown = new Map<string, number>();
  const tokensOf = answerCounter(rendering, now, (passage) => tokensKnown.get(passage) ?? countTokens(passage));
  const hitsShown = new Map<PackedHit, HitToRender>();
  const show = (hit: PackedHit): HitToRender => {
    const shown = hitsShown.get(hit) ?? toHit(hit, choices);
    hitsShown.set(hit, shown);
    tokensKnown.set(hit.text, hit.tokens);
    return shown;
  };
  const packWith = (lines: string[]): PackedHit[] =>
    packHits({
      ...options,
      tokensOf: (packed) => {
        const shown = packed.map(show);
        return tokensOf(shown, lines) + beside.tokensOf(shown);
      },
    });
  let lines = notes;
  let hits = packWith(lines);
  // With a small budget, a passage is worth more than notes.
  if (hits.length === 0 && lines.length > 0) {
    lines = [];
    hits = packWith(lines);
  }
  const shown = hits.map(show);
  if (hits.length === 0) lines = [fittingNote(noteWhenEmpty(), options.budget)];
  return {
    hits,
    results: shown.map((hit, at) => ({ ...hit, tokens: hits[at]?.tokens ?? 0 })),
    note: lines.length === 0 ? undefined : lines.join('\n'),
    text: searchRenderings[rendering](shown, lines, now),
    tokens: tokensOf(shown, lines),
  };
}

function toHit({ candidate, text }: PackedHit, choices: VersionChoice[]): HitToRender {
  const { snippet, module } = candidate;
  return {
    url: withAnchor(candidate.pageUrl, snippet.anchor),
    passageId: candidate.snippetId,
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
