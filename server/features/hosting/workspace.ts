import { z } from 'zod';
import {
  type AvailableRepository,
  type HostedRepository,
  type HostingConnection,
  repositoryStatsSchema,
} from '#contract/hosting.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { actIn, requireRight } from '#server/features/teams/index.ts';
import type { HostRepository } from '#server/platform/code-host/code-host.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { tryOpen } from './person-token.ts';
import { findHosted, type HostedRow, listNames } from './repository-store.ts';

/** The workspace a call is about: the given team's, or the caller's current one. */
export interface Acting {
  userId: string;
  workspace: Exclude<Workspace, 'public'>;
  acting: Context;
}

/** Throws if the caller lacks the right in the workspace. */
export async function enterWorkspace(
  ctx: Context,
  teamId: string | undefined,
  right: 'sources.read' | 'sources.write',
): Promise<Acting> {
  const userId = requirePerson(ctx);
  const acting = await actIn(ctx, teamId);
  requireRight(acting, right);
  return { userId, workspace: acting.workspace ?? `user:${userId}`, acting };
}

/** Returns a repository of the workspace; another workspace's is reported as not found. */
export async function requireHosted(ctx: Context, workspace: Workspace, id: string): Promise<HostedRow> {
  const row = await findHosted(ctx.db.query, workspace, id);
  if (row === undefined) throw new AppError('hosted-repository-not-found');
  return row;
}

/** Reads a repository again and returns it as shown to the caller. */
export async function answerHosted(ctx: Context, { userId, workspace }: Acting, id: string): Promise<HostedRepository> {
  const row = await requireHosted(ctx, workspace, id);
  const names = await listNames(ctx.db.query, [row.addedByUserId]);
  return presentHosted(row, { viewerId: userId, names });
}

const scopesSchema = z.array(z.string());

/** Returns a connection as shown to its user: without any token. */
export function presentConnection(
  row: ConnectionRow,
  deps: Pick<HostingDependencies, 'sealingKeys'>,
): HostingConnection {
  const { method, login, url, connectedAt } = row;
  const state = tryOpen(row, 'access', deps) === undefined ? 'reconnect' : row.state;
  const scopes = scopesSchema.parse(storedJson(row.scopes, []));
  // An App reads the repositories it is installed on; the host lists its permissions.
  return { method, login, url, scopes, readsPrivate: method === 'app' || scopes.includes('repo'), state, connectedAt };
}

export function presentAvailable(repository: HostRepository, addedIds: ReadonlySet<string>): AvailableRepository {
  const { cloneUrl: _cloneUrl, ...rest } = repository;
  return { ...rest, isAdded: addedIds.has(repository.repositoryId) };
}

/** Returns a repository as shown to everyone in its workspace. */
export function presentHosted(
  row: HostedRow,
  { viewerId, names }: { viewerId: string; names: ReadonlyMap<string, string> },
): HostedRepository {
  const name = names.get(row.addedByUserId);
  return {
    id: row.id,
    repositoryId: row.repositoryId,
    fullName: row.fullName,
    url: row.url,
    isPrivate: row.isPrivate === 1,
    ref: { kind: row.refKind, name: row.refName },
    folder: row.folder === '' ? null : row.folder,
    moduleId: row.slug,
    readBy: { kind: row.installationId === null ? 'connection' : 'installation', login: row.readerLogin },
    addedBy: name === undefined ? null : { displayName: name, isYou: row.addedByUserId === viewerId },
    addedAt: row.createdAt,
    paused: row.pausedReason === null ? null : { reason: row.pausedReason, at: row.pausedAt ?? row.updatedAt },
    isTold: row.installationId !== null || row.webhookId !== null,
    stats: row.stats === null ? null : (repositoryStatsSchema.safeParse(storedJson(row.stats, null)).data ?? null),
  };
}
