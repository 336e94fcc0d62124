import { type Plan, plans, type Tier, tierOf } from '#contract/plans.ts';
import { type Context, teamOf } from '#server/context.ts';
import { findUser, holdUser } from '#server/features/accounts/index.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { Row, Workspace } from '#server/platform/db/schema.ts';
import { listFreeTeamIds } from './store.ts';
import { findTeams, holdTeam } from './team-store.ts';

type Own = Exclude<Workspace, 'public'>;

/** What a workspace may take up by its plan, and the workspaces that take it up together. */
export interface PlanShare {
  tier: Tier;
  plan: Plan;
  workspaces: Own[];
}

/**
 * Returns the share of a workspace. A paid plan is for its own workspace. The teams that a person founded and that pay nothing
 * share one Free plan with the person, so that more teams bring no more room. Undefined where plans limit nothing: where no one
 * can pay, in the public index, and for the operator.
 */
export async function findPlanShare(db: Queries, ctx: Context, workspace: Workspace): Promise<PlanShare | undefined> {
  const teamId = teamOf(workspace);
  return shareOf(db, ctx, workspace, {
    team: teamId === undefined ? undefined : (await findTeams(db, [teamId]))[0],
    findUser: (userId) => findUser(db, userId),
  });
}

/** The same, with its payer held until the transaction ends, whether plans limit anything or not: no one else takes up anything meanwhile. */
export async function holdPlanShare(
  tx: Transaction,
  ctx: Context,
  workspace: Workspace,
): Promise<PlanShare | undefined> {
  if (workspace === 'public') return undefined;
  const teamId = teamOf(workspace);
  if (teamId === undefined) await holdUser(tx, workspace.slice('user:'.length));
  return shareOf(tx, ctx, workspace, {
    team: teamId === undefined ? undefined : await holdTeam(tx, teamId),
    findUser: (userId) => holdUser(tx, userId),
  });
}

interface Payers {
  team: Row<'teams'> | undefined;
  findUser(userId: string): Promise<Row<'users'> | undefined>;
}

async function shareOf(
  db: Queries,
  ctx: Context,
  workspace: Workspace,
  payers: Payers,
): Promise<PlanShare | undefined> {
  if (ctx.hasPlanLimits !== true || workspace === 'public') return undefined;
  const { team } = payers;
  const teamTier = team === undefined ? 'Free' : tierOf(team.tier);
  if (teamTier !== 'Free') return { tier: teamTier, plan: plans[teamTier], workspaces: [workspace] };
  const userId = teamOf(workspace) === undefined ? workspace.slice('user:'.length) : team?.createdBy;
  const user = userId === undefined ? undefined : await payers.findUser(userId);
  if (user === undefined) return { tier: 'Free', plan: plans.Free, workspaces: [workspace] };
  if (user.isOperator === 1) return undefined;
  const tier = tierOf(user.tier);
  if (tier !== 'Free' && team === undefined) return { tier, plan: plans[tier], workspaces: [workspace] };
  const teams = (await listFreeTeamIds(db, user.id)).map((id): Own => `team:${id}`);
  const workspaces = tier === 'Free' ? [`user:${user.id}` satisfies Own, ...teams] : teams;
  return { tier: 'Free', plan: plans.Free, workspaces };
}
