export { readFolderNames } from '#server/features/library/index.ts';
export { countTokens } from '#server/ingest/split/tokens.ts';
export { cleanLabel } from './clean-text.ts';
export { doubtNotice, isDoubtful } from './doubtful-text.ts';
export { createMeaning, type Meaning } from './meaning.ts';
export { RankThread } from './rank-thread.ts';
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
export { deleteSessionsOf, deleteTeamSessions, listCallsOf } from './store.ts';
export type { AgentRef, ReadAnswer, ReadUrlInput, SearchAnswer, SearchDocsInput } from './types.ts';
export { isWhichId, type WhichAnswer, type WhichQuestion } from './which-library.ts';
