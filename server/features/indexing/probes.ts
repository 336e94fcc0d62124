import { randomUUID } from 'node:crypto';
import type { GivenProbe, Probe } from '#contract/probes.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordChange, requirePerson } from '#server/features/accounts/index.ts';
import {
  findModuleById,
  findReadableModule,
  namesOfFolder,
  readableWorkspaces,
  requireMayChange,
} from '#server/features/catalog/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import { auditTeamOf } from '#server/platform/db/audit.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';

interface NamedModule {
  moduleId: string;
  visibility?: 'public' | 'private' | undefined;
  teamId?: string | undefined;
}

/** Returns the questions by which new versions of a module are compared, if the caller can read it. */
export async function listProbes(ctx: Context, input: NamedModule): Promise<Probe[]> {
  const acting = await actIn(ctx, input.teamId);
  readableWorkspaces(acting);
  const module = await findReadableModule(acting, input);
  return listProbeRows(ctx.db.query, module.id);
}

/**
 * Replaces the user-given questions of a module. Throws for a team's readers and, in the public index, for everyone but
 * the operator; another owner's module is reported as not found.
 */
export async function setProbes(ctx: Context, input: NamedModule & { probes: GivenProbe[] }): Promise<Probe[]> {
  const actorUserId = requirePerson(ctx);
  const acting = await actIn(ctx, input.teamId);
  const module = await findReadableModule(acting, input);
  const { id, workspace, slug } = module;
  await requireMayChange(acting, workspace);
  const now = ctx.clock.now();
  const told = (await namesOfFolder(module))?.told ?? ((address: string) => address);
  const probes = input.probes.map(({ question, address }) => ({ question, address: told(withoutFragment(address)) }));
  await ctx.db.transaction(async (tx) => {
    if (workspace !== 'public') await confirmRight(tx, acting, 'sources.write');
    if ((await findModuleById(tx, id)) === undefined) throw new AppError('module-changed');
    await replaceProbes(tx, id, { origin: 'person', probes, now });
    const detail = { moduleId: slug, probes: probes.length };
    await recordChange(tx, now, {
      actorUserId,
      action: 'module.probes',
      entityId: id,
      detail,
      ...auditTeamOf(workspace),
    });
  });
  return listProbeRows(ctx.db.query, module.id);
}

function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, '');
}

/** Returns a module's questions: user-given ones first, each origin in its order. */
export async function listProbeRows(db: Queries, moduleRowId: string): Promise<Probe[]> {
  const rows = await db
    .selectFrom('moduleProbes')
    .select(['question', 'address', 'origin'])
    .where('moduleId', '=', moduleRowId)
    .orderBy('origin', 'desc')
    .orderBy('createdAt')
    .execute();
  return rows;
}

/** Replaces the questions of one origin. */
export async function replaceProbes(
  tx: Transaction,
  moduleRowId: string,
  change: { origin: Probe['origin']; probes: { question: string; address: string }[]; now: number },
): Promise<void> {
  const { origin, probes, now } = change;
  await tx.deleteFrom('moduleProbes').where('moduleId', '=', moduleRowId).where('origin', '=', origin).execute();
  if (probes.length === 0) return;
  const rows = probes.map(({ question, address }, at) => ({
    ...{ id: randomUUID(), moduleId: moduleRowId, question, address, origin },
    // Distinct times preserve the order.
    createdAt: now + at,
  }));
  await tx.insertInto('moduleProbes').values(rows).execute();
}
