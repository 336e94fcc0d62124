import { liveEndpoints } from '#contract/live.ts';
import { openAccounts } from '#server/features/accounts/open-accounts.ts';
import { openBilling } from '#server/features/billing/open-billing.ts';
import { openCatalog } from '#server/features/catalog/open-catalog.ts';
import { openChat } from '#server/features/chat/open-chat.ts';
import { openConf } from '#server/features/conf/open-conf.ts';
import { openConnections } from '#server/features/connections/open-connections.ts';
import { openCredits } from '#server/features/credits/open-credits.ts';
import type { Feature } from '#server/features/feature.ts';
import { openHosting } from '#server/features/hosting/open-hosting.ts';
import { openIndexRequests } from '#server/features/index-requests/open-index-requests.ts';
import { openIndexing } from '#server/features/indexing/open-indexing.ts';
import { baseOf, contextsOf } from '#server/features/installation-context.ts';
import { openKeys } from '#server/features/keys/open-keys.ts';
import { openMaintenance } from '#server/features/maintenance/open-maintenance.ts';
import { openPdfSets } from '#server/features/pdf-sets/open-pdf-sets.ts';
import { openPersonalData } from '#server/features/personal-data/open-personal-data.ts';
import { openProductDocs } from '#server/features/product-docs/open-product-docs.ts';
import { openProfile } from '#server/features/profile/open-profile.ts';
import { openRepositories } from '#server/features/repositories/open-repositories.ts';
import { startScheduledJobs } from '#server/features/scheduled-jobs.ts';
import { openSearch } from '#server/features/search/open-search.ts';
import { openSignOn } from '#server/features/sign-on/open-sign-on.ts';
import { openSite } from '#server/features/site/open-site.ts';
import { openSourceCredentials } from '#server/features/source-credentials/open-source-credentials.ts';
import { openStatus } from '#server/features/status/open-status.ts';
import { openTeams } from '#server/features/teams/open-teams.ts';
import { callInProcess } from '#server/http/call-in-process.ts';
import { createCallables } from '#server/http/callables.ts';
import { openApiDocument } from '#server/http/openapi/document.ts';
import { createParsePool } from '#server/ingest/parse/index.ts';
import { describeAgentSurface } from '#server/mcp/describe-agent-surface.ts';
import { closeScope } from '#server/platform/close-scope.ts';
import type { Config } from '#server/platform/config/config.ts';
import { openPlatform, type Platform, type PlatformOptions } from '#server/platform/open-platform.ts';

export interface InstallationOptions extends PlatformOptions {
  /** False if other processes of the installation carry out index runs and scheduled jobs. */
  isWorker?: boolean;
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/**
 * Opens an installation in this process. Throws DataFolderError, DatabaseError or BlobError; their messages say what to
 * do.
 */
export async function openInstallation(config: Config, options: InstallationOptions = {}) {
  const scope = new AsyncDisposableStack();
  try {
    const platform = await openPlatform(config, options, scope);
    const { all, ...features } = await openFeatures(platform);
    const operatorContext = contextsOf(platform, features.accounts.ownerId);
    const calls = all.flatMap(({ endpoints }) => endpoints);
    if (platform.isExclusive) for (const { beforeServing } of all) await beforeServing?.(operatorContext());
    const startJobs = (where: 'worker' | 'server') => {
      const jobs = all.flatMap(({ scheduledJobs }) => scheduledJobs).filter((job) => job.where === where);
      return startScheduledJobs(operatorContext(), jobs, () => platform.storeClaim.isOwn());
    };
    const isWorker = platform.isExclusive && options.isWorker !== false;
    const runner = isWorker ? await features.indexing.startRunner(operatorContext()) : undefined;
    const workerJobs = isWorker ? startJobs('worker') : undefined;
    const stopWork = async () => {
      await workerJobs?.stop();
      await runner?.stop();
    };
    scope.defer(stopWork);
    return {
      ...platform,
      features,
      /** The whole context except the actor. */
      base: baseOf(platform),
      operatorContext,
      calls,
      callables: createCallables({ ...features, environment: config.environment }),
      /** Calls an endpoint as the operator. */
      call: callInProcess(calls, operatorContext),
      /** Checks the installation for problems; changes nothing. */
      examine: () => features.maintenance.examine(operatorContext(), features.catalog.shelf),
      startJobs,
      /** Stops index runs and scheduled jobs; both resume at the next start. */
      stopWork,
      /** Closes everything, even if one part fails to close. Throws the first error. */
      close: () => closeScope(scope),
    };
  } catch (error) {
    // Report the error that made opening fail, not one from cleaning up.
    await scope.disposeAsync().catch(() => undefined);
    throw error;
  }
}

/**
 * Opens the features of an installation. Each feature receives the features it builds on, and learns from them through
 * hooks.
 */
async function openFeatures(platform: Platform) {
  const all: Feature[] = [];
  const add = <F extends Feature>(opened: F): F => {
    all.push(opened);
    return opened;
  };
  const maintenance = add(await openMaintenance(platform));

  const accounts = add(await openAccounts(platform));
  const teams = add(openTeams(platform, { accounts }));
  const signOn = add(openSignOn(platform, { accounts }));
  const keys = add(openKeys(platform, { accounts, teams }));
  const connections = add(openConnections(platform, { accounts, teams }));
  const credits = add(await openCredits(platform, { accounts, teams }));
  const billing = add(openBilling(platform, { accounts, teams }));

  const parser = openParser(platform);
  const catalog = add(await openCatalog(platform));
  const indexing = add(openIndexing(platform, { accounts, teams, catalog, parser }));
  add(openSourceCredentials(platform));
  const repositories = add(openRepositories(platform, { indexing }));
  const pdfSets = add(openPdfSets(platform, { accounts, teams, indexing }));
  const hosting = add(openHosting(platform, { accounts, teams, indexing, repositories }));
  const indexRequests = add(openIndexRequests(platform, { teams, indexing }));
  add(openProfile(platform, { accounts, teams, indexing }));

  const search = add(openSearch(platform, { accounts, teams, credits, catalog, parser }));
  const chat = add(openChat(platform, { accounts, teams, credits, catalog, search }));
  const status = add(openStatus(platform, { catalog, indexing, search, maintenance }));

  add(openConf(platform));
  const site = add(openSite(platform, () => describeAgentSurface(platform.config.productName)));
  add(openProductDocs(platform, (about) => openApiDocument(about, endpointsOf(all))));
  add(openPersonalData(all));

  const agents = { keys, connections, search, indexRequests };
  const people = { accounts, signOn, hosting, pdfSets, chat, status, billing, repositories, indexing, site };
  return { all, ...agents, ...people, catalog, maintenance };
}

function openParser({ config, log, scope }: Platform) {
  const onLeft = (path: string, error: Error) => log.warn({ path, err: error }, 'what a file includes was left out');
  return scope.adopt(createParsePool({ size: config.parseWorkers, onLeft }), (pool) => pool.close());
}

function endpointsOf(all: readonly Feature[]) {
  return [
    ...all.flatMap(({ endpoints }) => endpoints.map(({ endpoint }) => endpoint)),
    ...Object.values(liveEndpoints),
  ];
}
