import type { Config } from '#server/config.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { Shelf } from '#server/features/library/index.ts';
import { createSearch, type Meaning, type PageParser, RankThread, type Search } from '#server/features/search/index.ts';
import type { Logger } from '#server/platform/log.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import { searchFairly } from './fair-search.ts';

/** The search of this installation, which computes on a second processor where there is one. */
export function wireSearch(
  { searchThreads }: Pick<Config, 'searchThreads'>,
  parts: {
    shelf: Shelf;
    outbound: Outbound;
    parser: PageParser;
    meter: CallMeter;
    meaning: Meaning | undefined;
    log: Logger;
  },
  opened: (() => unknown)[],
): Search {
  if (searchThreads === 0) return searchFairly(createSearch(parts));
  const ranker = new RankThread({ onFault: (err) => parts.log.error({ err }, 'the thread that ranks has failed') });
  opened.push(() => ranker.close());
  return searchFairly(createSearch({ ...parts, ranker }), ranker);
}
