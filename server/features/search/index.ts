export { countTokens, readVocabulary } from '#server/ingest/split/tokens.ts';
export { announceAnswers } from './announce-answers.ts';
export { cleanLabel } from './clean-text.ts';
export { doubtNotice, isDoubtful } from './doubtful-text.ts';
export { createMeaning } from './meaning.ts';
export type { SearchFeature } from './open-search.ts';
export { cachingOf } from './page-views.ts';
export type { PageParser } from './remote-pages.ts';
export { createSearch, type Search } from './search.ts';
export {
  type HitToRender,
  nothingBeside,
  overviewOf,
  type PageResult,
  type SentBeside,
  tokensInJson,
  toPageResults,
} from './search-renderings.ts';
export { deleteSessionsOf } from './store.ts';
export type { AgentRef, ReadAnswer, ReadUrlInput, SearchAnswer, SearchDocsInput } from './types.ts';
export { isWhichId, type WhichAnswer, type WhichQuestion } from './which-library.ts';
