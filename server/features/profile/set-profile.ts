import { createHash, randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import type { ProfileLockfile, profileEndpoints } from '#contract/profile.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordChange } from '#server/features/accounts/index.ts';
import { ownerForWriting } from '#server/features/catalog/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import { LockfileError } from '#server/ingest/lockfiles/lockfile.ts';
import {
  type GivenLockfile,
  type ReadLockfile,
  type ReadLockfiles,
  readLockfiles,
} from '#server/ingest/lockfiles/read-lockfiles.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { comparePins } from './find-pins.ts';
import { matchNameOf } from './library-names.ts';
import { namedModules, presentProfile } from './present.ts';
import {
  countProfiles,
  deleteProfile,
  deleteProfiles,
  ensureProfile,
  moveProfileRows,
  type Owner,
  type ProfileRow,
  replacePins,
  updateProfile,
} from './store.ts';
import { announceProfiles } from './workspace.ts';

type SetProfileOutput = OutputOf<typeof profileEndpoints.setProfile>;

/** Problems stored per file; further ones are only counted. */
const problemsKept = 20;
/** When a user with many files being read should retry. */
const retrySeconds = 5;
/** Increased when reading changes, so that the same files are read again. */
const readersVersion = '2';

/**
 * Replaces a project's pins by those of its lockfiles. The same files again change nothing. Unreadable files are
 * reported and skipped; throws `lockfiles-unreadable` if all are, and `profile-too-large` above 50,000 libraries.
 * Throws `rate-limited` while many of the caller's files are waiting to be read.
 */
export async function setProfile(
  ctx: Context,
  { name, files }: { name: string; files: GivenLockfile[] },
): Promise<SetProfileOutput> {
  const { userId, workspace } = ownerForWriting(ctx);
  const read = await readLockfiles(files, userId).catch((cause: unknown) => {
    if (!(cause instanceof LockfileError)) throw cause;
    throw new AppError('rate-limited', { values: { seconds: retrySeconds }, retryAfterSeconds: retrySeconds, cause });
  });
  const refused = read.files.flatMap(({ path, fault }) => (fault === undefined ? [] : [{ path, reason: fault }]));
  const readable = read.files.flatMap(({ path, lockfile }) => (lockfile === undefined ? [] : [{ path, lockfile }]));
  if (readable.length === 0) {
    throw new AppError('lockfiles-unreadable', { values: { reason: refused[0]?.reason ?? '' } });
  }
  const pins = pinsOf(read);
  const contentHash = hashOf(files, read.files);
  const { row, isChanged } = await ctx.db.transaction(async (tx) => {
    await confirmRight(tx, ctx, 'sources.write');
    const held = await holdProfile(tx, { workspace, name, userId, now: ctx.clock.now() });
    if (held.contentHash === contentHash) return { row: held, isChanged: false };
    await replacePins(
      tx,
      held.id,
      pins.map((pin) => ({ ...pin, profileId: held.id })),
    );
    const now = ctx.clock.now();
    const changed = await updateProfile(tx, held.id, {
      ...{ contentHash, updatedAt: now, updatedByUserId: userId },
      ...{ libraryCount: pins.length, directCount: pins.filter(({ isDirect }) => isDirect === 1).length },
      lockfiles: JSON.stringify(readable.map(summaryOf)),
    });
    await recordChange(tx, now, {
      ...{ actorUserId: userId, action: 'profile.set', entityId: held.id },
      detail: { name, libraries: pins.length },
      ...auditTeamOf(workspace),
    });
    announceProfiles(tx, workspace);
    return { row: changed, isChanged: true };
  });
  const { profile } = await presentProfile(ctx, row, await namedModules(ctx));
  return { profile, isChanged, refused };
}

/** Returns the project of this name, creating it if the limit allows; locked until the transaction ends. */
async function holdProfile(
  tx: Transaction,
  { workspace, name, userId, now }: { workspace: Owner; name: string; userId: string; now: number },
): Promise<ProfileRow> {
  const row = await ensureProfile(tx, {
    ...{ id: randomUUID(), workspace, name, contentHash: '' },
    ...{ createdAt: now, updatedAt: now, updatedByUserId: userId },
  });
  const isNew = row.contentHash === '';
  if (isNew && (await countProfiles(tx, workspace)) > limits.profilesPerWorkspaceMax) {
    throw new AppError('profiles-too-many', { values: { limit: limits.profilesPerWorkspaceMax } });
  }
  return row;
}

/** Returns the content's hash. It includes unreadable files, so that corrected ones count as changed. */
function hashOf(files: GivenLockfile[], read: ReadLockfile[]): string {
  const hash = createHash('sha256').update(readersVersion);
  for (const [at, { path, text }] of [...files.entries()].sort(([, a], [, b]) => (a.path < b.path ? -1 : 1)))
    hash.update(JSON.stringify([path, read[at]?.fault === undefined, text]));
  return hash.digest('hex');
}

function pinsOf({ libraries, libraryCount }: ReadLockfiles): Omit<NewRow<'profilePins'>, 'profileId'>[] {
  if (libraryCount > limits.profileLibrariesMax) {
    const values = { libraries: libraryCount, limit: limits.profileLibrariesMax };
    throw new AppError('profile-too-large', { values });
  }
  const pins = libraries.map(({ isDirect, isDev, ...library }) => ({
    ...library,
    matchName: matchNameOf(library.ecosystem, library.name),
    ...{ isDirect: isDirect ? 1 : 0, isDev: isDev ? 1 : 0, isPassedOver: 0 },
  }));
  // A project can pin a library at any number of versions.
  const first = new Map<string, (typeof pins)[number]>();
  for (const pin of pins) {
    const other = first.get(pin.matchName);
    const isFirst = other === undefined || comparePins(pin, other) < 0;
    const passedOver = isFirst ? other : pin;
    if (isFirst) first.set(pin.matchName, pin);
    if (passedOver !== undefined) passedOver.isPassedOver = 1;
  }
  return pins;
}

function summaryOf({ path, lockfile }: Extract<ReadLockfile, { fault?: undefined }>): ProfileLockfile {
  return { path, ...lockfile, problems: lockfile.problems.slice(0, problemsKept) };
}

/**
 * Deletes a project's pins. Modules that were indexed for it stay. Throws `profile-not-found` if it is already removed.
 */
export async function removeProfile(ctx: Context, input: { profileId: string }): Promise<void> {
  const { userId, workspace } = ownerForWriting(ctx);
  await ctx.db.transaction(async (tx) => {
    await confirmRight(tx, ctx, 'sources.write');
    const row = await deleteProfile(tx, workspace, input.profileId);
    if (row === undefined) throw new AppError('profile-not-found');
    await recordAudit(tx, ctx.clock.now(), {
      ...{ actorUserId: userId, action: 'profile.remove', entityId: row.id },
      detail: { name: row.name },
      ...auditTeamOf(workspace),
    });
    announceProfiles(tx, workspace);
  });
}

/** Removes a deleted account's projects. */
export async function removePersonalProfiles(tx: Transaction, userId: string): Promise<void> {
  await deleteProfiles(tx, `user:${userId}`);
}

/** Removes a deleted team's projects. */
export async function removeTeamProfiles(tx: Transaction, teamId: string): Promise<void> {
  await deleteProfiles(tx, `team:${teamId}`);
}

/** Moves projects to a new team together with the modules; those whose name is taken there stay. */
export async function moveProfiles(tx: Transaction, from: Owner, to: Owner): Promise<void> {
  await moveProfileRows(tx, from, to);
  for (const workspace of [from, to]) announceProfiles(tx, workspace);
}
