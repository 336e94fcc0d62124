import { type Plan, plans, type Tier, tierOf } from '#contract/plans.ts';
import { type Context, teamOf } from '#server/context.ts';
import { findUser, holdUser } from '#server/features/accounts/index.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { Row, Workspace } from '#server/platform/db/schema.ts';
import { listFreeTeamIds } from './store.ts';
import { findTeams, holdTeam } from './team-store.ts';

type Own = Exclude<Workspace, 'public'>;

/** The limits of a workspace's plan, and the workspaces that share them. */
export interface PlanShare {
  tier: Tier;
  plan: Plan;
  workspaces: Own[];
}

/**
 * Returns a workspace's share. A paid plan covers only its own workspace. Teams without a plan share one Free plan with
 * their founder, so that more teams do not add capacity. Undefined if there are no limits: if the installation sells no
 * plans, in the public index, and for operators.
 */
export async function findPlanShare(db: Queries, ctx: Context, workspace: Workspace): Promise<PlanShare | undefined> {
  const teamId = teamOf(workspace);
  return shareOf(db, ctx, workspace, {
    team: teamId === undefined ? undefined : (await findTeams(db, [teamId]))[0],
    findUser: (userId) => findUser(db, userId),
  });
}

/**
 * Like `findPlanShare`, and locks the payer until the transaction ends, even without limits, so that no one else uses
 * the capacity meanwhile.
 */
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
