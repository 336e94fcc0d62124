import { createHash, randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import type { ProfileLockfile, profileEndpoints } from '#contract/profile.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordChange } from '#server/features/accounts/index.ts';
import { ownerForWriting } from '#server/features/catalog/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import { type Lockfile, LockfileError } from '#server/ingest/lockfiles/lockfile.ts';
import { type GivenLockfile, type ReadLockfile, readLockfiles } from '#server/ingest/lockfiles/read-lockfiles.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { matchNameOf } from './library-names.ts';
import { presentProfiles } from './present.ts';
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

/** Sentences kept of one file; the rest is counted. */
const problemsKept = 20;
/** After which someone with many files to read tries again. */
const retrySeconds = 5;
/** Raised when the same files are read differently than before: given again, they are no longer the same content. */
const readersVersion = '2';

/**
 * Pins the libraries of a project to what its lockfiles say, in place of what it pinned before. The same files again change
 * nothing. Files that cannot be read are reported and left out; when none can, it is refused with `lockfiles-unreadable`, and
 * with `profile-too-large` above 50,000 libraries. Throws `rate-limited` while many of the caller's files wait to be read.
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
  const refused = read.flatMap(({ path, fault }) => (fault === undefined ? [] : [{ path, reason: fault }]));
  const readable = read.flatMap(({ path, lockfile }) => (lockfile === undefined ? [] : [{ path, lockfile }]));
  if (readable.length === 0) {
    throw new AppError('lockfiles-unreadable', { values: { reason: refused[0]?.reason ?? '' } });
  }
  const contentHash = hashOf(files, read);
  const pins = pinsOf(readable.map(({ lockfile }) => lockfile));
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
  const [profile] = await presentProfiles(ctx, [row]);
  if (profile === undefined) throw new AppError('profile-not-found');
  return { profile, isChanged, refused };
}

/** The project of this name, made when there is none and room for it; held until the transaction ends. */
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

/** Files that could not be read count too: mended, they are another content. */
function hashOf(files: GivenLockfile[], read: ReadLockfile[]): string {
  const hash = createHash('sha256').update(readersVersion);
  for (const [at, { path, text }] of [...files.entries()].sort(([, a], [, b]) => (a.path < b.path ? -1 : 1)))
    hash.update(JSON.stringify([path, read[at]?.fault === undefined, text]));
  return hash.digest('hex');
}

/** Each name and version of an ecosystem once; direct, and not only for development, where one file says so. */
function pinsOf(lockfiles: Lockfile[]): Omit<NewRow<'profilePins'>, 'profileId'>[] {
  const pins = new Map<string, Omit<NewRow<'profilePins'>, 'profileId'>>();
  for (const { ecosystem, libraries } of lockfiles) {
    for (const { name, version, isDirect, isDev } of libraries) {
      const key = `${ecosystem} ${name} ${version}`;
      const known = pins.get(key);
      const flags = known ?? { isDirect: 0, isDev: 1 };
      pins.set(key, {
        ...{ ecosystem, name, version },
        matchName: matchNameOf(ecosystem, name),
        isDirect: flags.isDirect === 1 || isDirect ? 1 : 0,
        isDev: flags.isDev === 1 && isDev ? 1 : 0,
      });
    }
  }
  if (pins.size > limits.profileLibrariesMax) {
    const values = { libraries: pins.size, limit: limits.profileLibrariesMax };
    throw new AppError('profile-too-large', { values });
  }
  return [...pins.values()];
}

function summaryOf({ path, lockfile }: { path: string; lockfile: Lockfile }): ProfileLockfile {
  const { kind, ecosystem, libraries, problems, problemCount } = lockfile;
  return {
    ...{ path, kind, ecosystem, libraries: libraries.length },
    ...{ problems: problems.slice(0, problemsKept), problemCount },
  };
}

/** Forgets what a project pins. Modules that were indexed for it stay. Removing it twice is refused with `profile-not-found`. */
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

/** Removes a person's projects, for a deleted account. */
export async function removePersonalProfiles(tx: Transaction, userId: string): Promise<void> {
  await deleteProfiles(tx, `user:${userId}`);
}

/** The same for a team that is deleted. */
export async function removeTeamProfiles(tx: Transaction, teamId: string): Promise<void> {
  await deleteProfiles(tx, `team:${teamId}`);
}

/** Gives projects to a new team together with the modules; those whose name it has stay. */
export async function moveProfiles(tx: Transaction, from: Owner, to: Owner): Promise<void> {
  await moveProfileRows(tx, from, to);
  for (const workspace of [from, to]) announceProfiles(tx, workspace);
}
