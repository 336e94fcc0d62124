import type { HostedRepository } from '#contract/hosting.ts';
import type { Context } from '#server/context.ts';
import { confirmSession } from '#server/features/accounts/index.ts';
import { moveSource } from '#server/features/indexing/index.ts';
import { repositoryPushed } from '#server/features/repositories/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { readerOf } from './add-repository.ts';
import { askAsPerson } from './ask-host.ts';
import type { HostingDependencies } from './dependencies.ts';
import { queueRepository } from './queue-repository.ts';
import { changeHosted, findHosted, listHostedBy } from './repository-store.ts';
import { askForEvents } from './webhooks.ts';
import { answerHosted, enterWorkspace, requireHosted } from './workspace.ts';

/**
 * Resumes a paused repository; the caller vouches for it from now on, instead of the user who added it before. The
 * caller must be able to read it at the host.
 */
export async function resumeRepository(
  ctx: Context,
  input: { id: string; teamId?: string | undefined },
  deps: HostingDependencies,
): Promise<HostedRepository> {
  const where = await enterWorkspace(ctx, input.teamId, 'sources.write');
  const { userId, workspace, acting } = where;
  const before = await requireHosted(ctx, workspace, input.id);
  const { said, reader } = await askAsPerson(
    ctx,
    userId,
    deps,
    async ({ host, token, connection }) => {
      const repository = await host.findRepository(token, { repositoryId: before.repositoryId });
      return { said: repository, reader: await readerOf(host, repository.fullName, connection) };
    },
    before.fullName,
  );
  const now = ctx.clock.now();
  const tell = await ctx.db.transaction(async (tx): Promise<() => void> => {
    // The account may have been disabled while waiting for the host.
    await confirmSession(tx, ctx);
    await confirmRight(tx, acting, 'sources.write');
    const { fullName, url, cloneUrl } = said;
    await changeHosted(tx, before.id, {
      ...{ fullName, url, cloneUrl, ...reader, isPrivate: said.isPrivate ? 1 : 0 },
      ...{ addedByUserId: userId, pausedReason: null, pausedAt: null, checkedAt: now, updatedAt: now },
    });
    await moveSource(tx, before.moduleId, cloneUrl);
    await recordAudit(tx, now, {
      ...{ actorUserId: userId, action: 'repository.resume', entityId: before.moduleId },
      detail: { moduleId: before.slug, repository: fullName },
      ...auditTeamOf(workspace),
    });
    announceChange(tx, { collection: 'hosting', audience: workspace });
    // Failed checks during the pause have postponed the next one.
    await repositoryPushed(tx, { urls: [said.cloneUrl] });
    const row = await findHosted(tx, workspace, before.id);
    return row === undefined ? () => undefined : queueRepository(tx, ctx, row, deps);
  });
  tell();
  await askForEvents(ctx, where, before.id, deps);
  return answerHosted(ctx, where, input.id);
}

/**
 * Resumes repositories after a user reconnects: those paused without a connection are checked again, and paused again
 * if the account cannot read them. Other pauses stay.
 */
export async function takeUpAgain(
  tx: Transaction,
  ctx: Context,
  userId: string,
  deps: HostingDependencies,
): Promise<() => Promise<void>> {
  const tells: (() => void)[] = [];
  const urls: string[] = [];
  const now = ctx.clock.now();
  for (const row of await listHostedBy(tx, userId)) {
    if (row.pausedReason !== 'disconnected' && row.pausedReason !== 'reconnect-needed') continue;
    // Unchecked, because the account may be a different one.
    await changeHosted(tx, row.id, { pausedReason: null, pausedAt: null, checkedAt: 0, updatedAt: now });
    tells.push(await queueRepository(tx, ctx, row, deps));
    urls.push(row.cloneUrl);
    announceChange(tx, { collection: 'hosting', audience: row.workspace });
  }
  await repositoryPushed(tx, { urls });
  return async () => {
    for (const tell of tells) tell();
  };
}
