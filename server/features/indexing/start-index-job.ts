import type { JobRun, StartIndexJobInput } from '#contract/library.ts';
import { sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { isOperator, requireUserId } from '#server/features/accounts/index.ts';
import {
  defaultModuleId,
  findLastEndedJob,
  gitSource,
  hostedIdOf,
  type ModuleRow,
  type ParsedSource,
  parseSource,
  placeOf,
  type Source,
  seesServerPaths,
  sourceIn,
  sourceOfRun,
  workspaceForWriting,
} from '#server/features/catalog/index.ts';
import { credentialOriginOf, requireCredentialFor } from '#server/features/source-credentials/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import type { JobRow } from './job-store.ts';
import type { LibraryNotices } from './notices.ts';
import { presentJob } from './present.ts';
import { queueRun } from './queue-run.ts';

/**
 * Queues a run that indexes a source or refreshes the module of that name, in the given team or the current workspace.
 * Throws while another run of it is active. A failed or cancelled run with the same source is resumed. A module keeps
 * its source and name until the run has succeeded.
 */
export async function startIndexJob(ctx: Context, input: StartIndexJobInput, notices: LibraryNotices): Promise<JobRun> {
  const prepared = await prepareIndexJob(ctx, input);
  const job = await ctx.db.transaction((tx) => prepared.queue(tx));
  return prepared.tell(job, notices);
}

/** A run that passed all checks that need no transaction. */
export interface PreparedIndexJob {
  /** Checks the right again and queues the run. */
  queue(tx: Transaction): Promise<JobRow>;
  /** Announces the run, after the transaction has committed. */
  tell(job: JobRow, notices: LibraryNotices): JobRun;
}

/** Like `startIndexJob` in two steps, for callers that change other rows in the transaction that queues the run. */
export async function prepareIndexJob(ctx: Context, input: StartIndexJobInput): Promise<PreparedIndexJob> {
  const userId = requireUserId(ctx);
  const acting = await actIn(ctx, input.teamId);
  const parsed = namedPlaceOf(input);
  const visibility = input.visibility ?? (await visibilityWithoutWord(acting, input));
  const workspace = await workspaceForWriting(acting, visibility, parsed.kind);
  const seesPaths = await seesServerPaths(acting);
  const { credentialId, rendersScripts, library, version } = input;
  if (credentialId !== undefined) await requireCredential(acting, { credentialId, workspace, parsed });
  const source: Source = {
    ...parsed,
    ...{ seeds: seedsOf(input), maxPages: input.maxPages, depth: input.depth, credentialId, rendersScripts },
    ...{ library, version },
  };
  return {
    async queue(tx) {
      if (workspace !== 'public') await confirmRight(tx, acting, 'sources.write');
      const { job } = await queueRun(tx, ctx, {
        workspace,
        slug: input.moduleId ?? defaultModuleId(parsed),
        displayName: input.displayName,
        source,
        startedByUserId: userId,
        settle: (module) => settleSource(tx, module, source, { input, seesPaths }),
      });
      return job;
    },
    tell(job, notices) {
      notices.jobChanged(job);
      notices.jobQueued();
      return presentJob(job, { now: ctx.clock.now(), seesPaths });
    },
  };
}

/**
 * Returns the default visibility: public if an operator indexes outside of a team and without a credential, else
 * private.
 */
async function visibilityWithoutWord(
  ctx: Context,
  { credentialId }: StartIndexJobInput,
): Promise<'public' | 'private'> {
  const isOfSome = ctx.membership !== undefined || credentialId !== undefined;
  return !isOfSome && (await isOperator(ctx)) ? 'public' : 'private';
}

/** Returns the parsed source; a branch, tag or folder in the request means a repository, regardless of the address. */
function namedPlaceOf({ source, ref, folder }: StartIndexJobInput): ParsedSource {
  const parsed = parseSource(source);
  if (ref === undefined && folder === undefined) return parsed;
  if (parsed.kind === 'folder') throw sourceRefused('Only repositories have a branch, tag or folder.');
  const named = parsed.kind === 'git' ? parsed : { ref: undefined, folder: undefined };
  return gitSource({ url: parsed.url, ref: ref ?? named.ref, folder: folder ?? named.folder });
}

/** Throws unless the caller's workspace owns the credential; public modules cannot use one. */
async function requireCredential(
  ctx: Context,
  {
    credentialId,
    workspace,
    parsed,
  }: { credentialId: string; workspace: Workspace; parsed: { kind: string; url: string } },
): Promise<void> {
  if (parsed.kind === 'folder') throw sourceRefused('Folders on this machine do not use a credential.');
  if (workspace === 'public') {
    throw sourceRefused('A source that needs a credential cannot be public. Index it as private.');
  }
  await requireCredentialFor(ctx, { credentialId, workspace, url: parsed.url });
}

/**
 * Returns the source to read if the module may already exist. Many folders are called "docs": a default id must not
 * replace a module made from another folder. A site's credential and rendering are kept unless the input changes them.
 */
async function settleSource(
  tx: Transaction,
  module: ModuleRow,
  source: Source,
  { input, seesPaths }: { input: StartIndexJobInput; seesPaths: boolean },
): Promise<Source> {
  const known = sourceIn(module.source);
  const run = known === undefined ? await findLastEndedJob(tx, module.id) : undefined;
  const before = known ?? sourceOfRun(run);
  if (before === undefined) {
    // A damaged row can be repaired by giving the same address again.
    if (input.replace !== true && (run === undefined || isElsewhere(run, source))) {
      throw sourceRefused(
        `The row of the module "${module.slug}" is damaged and doesn't say that it was made from this address. Give this one another id with --name, or replace that one with --replace.`,
      );
    }
    return source;
  }
  requireSamePart(module, before, source);
  const isNamed = input.moduleId !== undefined;
  // The id of a module that serves nothing yet is free for another address.
  const isTaken = isNamed ? module.lastUpdatedAt !== null && isElsewhere(before, source) : isOther(before, source);
  if (isTaken && input.replace !== true) {
    throw sourceRefused(
      `The module "${module.slug}" already exists, made from ${placeOf(module.slug, before, seesPaths)}. Give this one another id with --name, or replace that one with --replace.`,
    );
  }
  return withKept(before, source);
}

/** Throws if the part of a connected repository changes: the user who added it vouches for that part only. */
function requireSamePart({ slug }: ModuleRow, before: Source, now: Source): void {
  if (before.kind !== 'git' || hostedIdOf(before.credentialId) === undefined) return;
  if (!isElsewhere(before, now) && !isOther(before, now)) return;
  throw sourceRefused(
    `The module "${slug}" belongs to a connected GitHub account and keeps its repository, branch and folder. Add other parts under Repositories, or give this source another id with --name.`,
  );
}

/**
 * Returns true for another address. Another branch of the same repository or a deeper crawl under an explicit id is
 * intended, so it does not count.
 */
function isElsewhere(before: Place, now: Place): boolean {
  return before.kind !== now.kind || addressOf(before) !== addressOf(now);
}

type Place = Pick<Source, 'kind' | 'url'>;

const addressOf = ({ url }: Place): string => url.replace(/(?:\/index\.html?)?\/?$/, '');

function isOther(before: Source, now: Source): boolean {
  if (before.kind === 'folder' && now.kind === 'folder') return before.url !== now.url;
  if (before.kind !== 'git' || now.kind !== 'git') return before.kind !== now.kind;
  return before.ref?.name !== now.ref?.name || before.folder !== now.folder;
}

function withKept(before: Source, now: Source): Source {
  if (credentialOriginOf(before.url) !== credentialOriginOf(now.url)) return now;
  const { library = before.library, version = before.version } = now;
  if (now.kind === 'git' && before.kind === 'git') {
    return { ...now, credentialId: now.credentialId ?? before.credentialId, library, version };
  }
  if (now.kind !== 'site' || before.kind !== 'site') return now;
  const { credentialId = before.credentialId, rendersScripts = before.rendersScripts } = now;
  return { ...now, credentialId, rendersScripts, library, version };
}

function seedsOf(input: StartIndexJobInput): string[] {
  return input.seeds.map((seed) => {
    const parsed = parseSource(seed);
    if (parsed.kind !== 'site') throw sourceRefused(`"${seed}" is not an address.`);
    return parsed.url;
  });
}
