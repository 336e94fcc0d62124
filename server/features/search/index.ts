export { countTokens, readVocabulary } from '#server/ingest/split/tokens.ts';
export { cleanLabel } from './clean-text.ts';
export { doubtNotice, isDoubtful } from './doubtful-text.ts';
export type { SearchFeature } from './open-search.ts';
export { cachingOf } from './page-views.ts';
export { createSearch, type Search } from './search.ts';
export {
  type HitToRender,
  nothingBeside,
  overviewOf,
  type SentBeside,
  tokensInJson,
  toPageResults,
} from './search-renderings.ts';
export type { AgentRef, SearchDocsInput } from './types.ts';
export { isWhichId, type WhichAnswer, type WhichQuestion } from './which-library.ts';
