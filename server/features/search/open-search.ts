import { documentEndpoints } from '#contract/documents.ts';
import { searchEndpoints } from '#contract/search.ts';
import { trySearchEndpoints } from '#contract/try-search.ts';
import type { Context } from '#server/context.ts';
import { type Catalog, makePassageVectors, PassageVectors } from '#server/features/catalog/index.ts';
import { onChange } from '#server/platform/bus/announce-change.ts';
import { openEmbeddingModel } from '#server/platform/embeddings/open-embedding-model.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { type Accounts, requirePerson, requireWithinRate } from '../accounts/index.ts';
import type { Credits } from '../credits/index.ts';
import { feature, hook, serve } from '../feature.ts';
import type { Teams } from '../teams/index.ts';
import { type AnsweredCall, announceAnswers } from './announce-answers.ts';
import { createFairSearch } from './fair-search.ts';
import { createMeaning } from './meaning.ts';
import { cachingOf, showPage } from './page-views.ts';
import { RankThread } from './rank-thread.ts';
import type { PageParser } from './remote-pages.ts';
import type { Search } from './search.ts';
import { deleteSessionsOf, deleteTeamSessions, listCallsOf } from './store.ts';
import { limitVisitors } from './try-public-search.ts';

export type SearchFeature = ReturnType<typeof openSearch>;

interface Below {
  accounts: Accounts;
  teams: Teams;
  credits: Credits;
  catalog: Catalog;
  /** Parses pages that are read without being indexed. */
  parser: PageParser;
}

/** Opens search and page reading, for agents and people. */
export function openSearch(platform: Platform, { accounts, teams, credits: { meter }, catalog, parser }: Below) {
  const { config, log, outbound, scope } = platform;
  const { shelf } = catalog;
  const { meaning, vectorJobs } = openMeaning(platform);
  const ranker =
    config.searchThreads === 0
      ? undefined
      : new RankThread({ onFault: (err) => log.error({ err }, 'the ranking thread failed') });
  scope.defer(() => ranker?.close());
  const answered = hook<[call: AnsweredCall]>();
  const verbs = announceAnswers(createFairSearch({ shelf, outbound, parser, meter, meaning, ranker }), answered);
  accounts.deleted.on(deleteSessionsOf);
  teams.teamDeleted.on((tx, { id }) => deleteTeamSessions(tx, id));
  return feature({
    name: 'search',
    verbs: {
      ...verbs,
      meaning,
      /** Announces a search or read that was answered or failed with an internal error. */
      answered,
      /** Shows a page as Markdown at its address in the viewer; programs are charged as for a read. */
      viewMarkdown: (ctx: Context, input: Parameters<typeof verbs.documentMarkdown>[1], address: string) =>
        showPage(ctx, { url: input.url, address }, meter, async () => {
          const answer = await verbs.documentMarkdown(ctx, input);
          return { answer, shown: { tokens: answer.tokens, wholePageTokens: answer.tokens } };
        }),
    },
    endpoints: [...searchCalls(verbs), ...documentCalls(verbs, meter)],
    scheduledJobs: vectorJobs,
    personalData: { agentCalls: (ctx) => listCallsOf(ctx.db.query, requirePerson(ctx)) },
  });
}

function searchCalls(search: Search) {
  return [
    ...serve(searchEndpoints, {
      search: async (ctx, { isDraft, ...input }, { browser }) => {
        if (ctx.actor.kind === 'anonymous') await limitVisitors(ctx, browser.address);
        if (isDraft !== true) return search.searchDocs(ctx, input, undefined);
        if (ctx.actor.kind === 'user') await requireWithinRate(ctx, [['draft-account', ctx.actor.userId]]);
        return search.previewSearch(ctx, input);
      },
      read: async (ctx, input, { browser }) => {
        if (ctx.actor.kind === 'anonymous') await limitVisitors(ctx, browser.address);
        return search.readUrl(ctx, input, undefined);
      },
    }),
    ...serve(trySearchEndpoints, {
      trySearch: (ctx, input, { browser }) => search.tryPublicSearch(ctx, input, browser.address),
      getShowcase: (ctx) => search.showcase(ctx),
    }),
  ];
}

/** Creates the calls that show pages to people. */
function documentCalls(search: Search, meter: Credits['meter']) {
  return serve(
    documentEndpoints,
    {
      showDocument: (ctx, { url, ...args }, { browser: { address } }) =>
        showPage(ctx, { url, address, args }, meter, async () => {
          const answer = await search.showDocument(ctx, { url, ...args }, address);
          const sent = answer.snippets.reduce((sum, { tokens }) => sum + tokens, answer.cut?.tokens ?? 0);
          return { answer, shown: { tokens: sent, wholePageTokens: answer.tokens } };
        }),
      listModulePages: (ctx, input) => search.listModulePages(ctx, input),
      documentMarkdown: (ctx, input, { browser: { address } }) =>
        showPage(ctx, { url: input.url, address }, meter, async () => {
          const { tokens, ...answer } = await search.documentMarkdown(ctx, input);
          return { answer, shown: { tokens, wholePageTokens: tokens } };
        }),
    },
    {
      showDocument: (ctx, { module, alternatives, cut }) =>
        cut === null ? cachingOf(ctx, [module, ...alternatives]) : undefined,
      listModulePages: (ctx, output) => cachingOf(ctx, [output]),
      documentMarkdown: (ctx, output) => cachingOf(ctx, [output]),
    },
  );
}

/** Without a GPU, a batch of passages takes seconds. */
const embeddingTimeoutMs = 120_000;
/** Interval of the check for missing vectors; module changes trigger it too, this finds missed and failed ones. */
const vectorsEveryMs = 60_000;

/** Opens the configured embedding model, if any, and the job that computes passage vectors. */
function openMeaning({ config: { embeddings }, blobs, bus, outboundTo, scope }: Platform) {
  if (embeddings === undefined) return { meaning: undefined, vectorJobs: [] };
  const outbound = outboundTo([embeddings.url], {
    headersTimeoutMs: embeddingTimeoutMs,
    timeoutMs: embeddingTimeoutMs,
  });
  const model = openEmbeddingModel(embeddings, outbound);
  const passages = new PassageVectors(blobs, model.id);
  scope.defer(() => passages.close());
  const vectorJob = {
    name: 'make vectors of passages',
    where: 'worker' as const,
    everyMs: vectorsEveryMs,
    wakeOn: (wake: () => void) => {
      onChange(bus, ({ collection }) => {
        if (collection === 'modules') wake();
      });
    },
    run: (ctx: Context, signal: AbortSignal) => makePassageVectors(ctx, { blobs, model }, signal),
  };
  return { meaning: createMeaning(model, passages), vectorJobs: [vectorJob] };
}
