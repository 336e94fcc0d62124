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
import { listProbeRows, replaceProbes } from './probe-store.ts';

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
