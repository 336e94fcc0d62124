import { billingAdministration, billingEndpoints } from '#contract/billing.ts';
import type { Endpoint, InputOf } from '#contract/endpoint.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { creditPack, plans } from '#contract/plans.ts';
import { teamAdministration } from '#contract/teams.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import type { AppError } from '#server/app-error.ts';
import { countSealed, renewSecrets } from '#server/features/maintenance/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { fillSealed } from '#test/services/sealed-rows.ts';
import { until } from '#test/services/until.ts';
import { sampleTeam } from '../services/sample-team.ts';
import type { Flow } from './flow.ts';
import { unless } from './people-flows.ts';
import type { Stage } from './stage.ts';

const teamId = 'weavers';
const seats = 2;

async function members({ installation }: Stage) {
  const rows = await installation.base.db.query
    .selectFrom('memberships')
    .selectAll()
    .where('teamId', '=', teamId)
    .execute();
  return rows.filter(({ endedAt }) => endedAt === null);
}

async function memberId(stage: Stage, userId: string): Promise<string> {
  return (await members(stage)).find((row) => row.userId === userId)?.id ?? 'gone';
}

/** A plan, seats and credits are bought, another admin takes over, the founder leaves, and the team is deleted. */
export const teamFlow: Flow = {
  async prepare(stage) {
    await sampleTeam(stage.installation.base.db, { id: teamId, members: { ann: 'admin', ben: 'reader' } });
    await stage.ask(stage.as('ben'), keyEndpoints.createKey, { name: 'loom', teamId });
  },
  async work(stage, acknowledge, before) {
    const as = (who: 'ann' | 'ben') => stage.as(who);
    async function step<E extends Endpoint>(
      name: string,
      who: 'ann' | 'ben',
      [endpoint, input]: [E, InputOf<E>],
      ...codes: AppError['code'][]
    ) {
      if (before.includes(name)) return undefined;
      const answer = await stage.ask(as(who), endpoint, input).catch(unless(...codes));
      acknowledge(name);
      return answer;
    }
    const buy = async (name: string, order: () => Promise<{ url: string } | undefined>) => {
      if (before.includes(name)) return;
      const { url } = (await order()) ?? {};
      if (url === undefined) return;
      const checkoutId = url.slice(url.lastIndexOf('/') + 1);
      await stage.ask(as('ann'), testBillingEndpoints.payTestCheckout, { checkoutId });
      acknowledge(name);
    };
    const { priceIds } = (await stage.ask(as('ann'), billingEndpoints.getBilling, {})).billing;
    const order = { teamId, numberOfSeats: seats, priceId: priceIds.Basic };
    const gone = ['team-not-found', 'missing-role', 'permission-denied'] as AppError['code'][];
    await buy(
      'subscribed',
      () =>
        stage
          .ask(as('ann'), billingAdministration.createSubscription, order)
          .catch(unless('already-subscribed', ...gone)) as never,
    );
    await buy(
      'bought',
      () =>
        stage
          .ask(as('ann'), billingAdministration.purchaseTeamCredits, { teamId, amount: creditPack.credits })
          .catch(unless(...gone)) as never,
    );
    if (!before.includes('seated') && (await memberId(stage, 'ann')) !== 'gone') {
      await until('the plan is there', async () => (await team(stage))?.tier !== 'Free');
      await step(
        'seated',
        'ann',
        [
          billingAdministration.manageSeats,
          {
            teamId,
            paidSeatMembershipIds: [await memberId(stage, 'ann'), await memberId(stage, 'ben')],
            updateSubscription: false,
          },
        ],
        ...gone,
      );
    }
    await step(
      'handed over',
      'ann',
      [teamAdministration.setMemberRole, { teamId, membershipId: await memberId(stage, 'ben'), role: 'admin' }],
      ...gone,
      'membership-not-found',
    );
    await step(
      'left',
      'ann',
      [teamAdministration.leaveTeam, { teamId, membershipId: await memberId(stage, 'ann') }],
      ...gone,
      'membership-not-found',
    );
    await step('deleted', 'ben', [teamAdministration.deleteTeam, { teamId }], ...gone);
  },
  async requireKept(stage, acknowledged) {
    const { db } = stage.installation.base;
    if (acknowledged.includes('deleted')) {
      const left = [];
      for (const table of ['teams', 'memberships', 'apiKeys'] as const) {
        const rows = JSON.stringify(await db.query.selectFrom(table).selectAll().execute());
        if (rows.includes(teamId)) left.push(`${table}: ${rows}`);
      }
      if (left.length > 0) throw new Error(`left of the team: ${left.join()}`);
      return;
    }
    const row = await team(stage);
    if (row === undefined) return;
    const active = await members(stage);
    if (!active.some(({ role }) => role === 'admin')) throw new Error('no admin is left');
    if (acknowledged.includes('subscribed')) {
      await until('the seats are paid', async () => (await team(stage))?.numberOfPaidSeats === seats);
      const allowance = (await team(stage))?.monthlyAllowance;
      if (allowance !== seats * plans.Basic.creditsPerMonth) throw new Error(`an allowance of ${allowance}`);
    }
    if (acknowledged.includes('bought'))
      await until('the credits are there', async () => (await team(stage))?.credits === creditPack.credits);
    const bens = active.find(({ userId }) => userId === 'ben');
    if (acknowledged.includes('seated') && bens?.hasPaidSeat !== 1) throw new Error('ben has no seat');
    if (acknowledged.includes('handed over') && bens?.role !== 'admin') throw new Error('ben is no admin');
    if (acknowledged.includes('left') && active.some(({ userId }) => userId === 'ann')) throw new Error('ann is there');
  },
};

function team({ installation }: Stage) {
  return installation.base.db.query.selectFrom('teams').selectAll().where('id', '=', teamId).executeTakeFirst();
}

const renewedKey = Buffer.alloc(32, 7);

/** Every encrypted value is re-encrypted with another key, and back. */
export const renewFlow: Flow = {
  async prepare({ installation }) {
    const { db } = installation.base;
    await fillSealed(db, installation.sealingKeys);
    const member = {
      id: 'm1',
      teamId: 't1',
      userId: 'anna',
      email: 'anna@example.org',
      role: 'admin',
      joinedAt: 1,
    } as const;
    await db.query
      .insertInto('memberships')
      .values({ ...member, state: 'accepted', acceptedAt: 1 })
      .execute();
  },
  async work({ installation }, acknowledge) {
    await renewSecrets(installation.base, [renewedKey, ...installation.sealingKeys]);
    acknowledge('renewed');
  },
  async requireKept({ installation }, acknowledged) {
    const { base, sealingKeys } = installation;
    const sums = Object.entries(await countSealed(base, [renewedKey, ...sealingKeys]));
    const lost = sums.filter(([, { none, former }]) => none > 0 || (acknowledged.includes('renewed') && former > 0));
    if (lost.length > 0 || sums.length < 6) throw new Error(`not renewed: ${JSON.stringify(sums)}`);
    await renewSecrets(base, [...sealingKeys, renewedKey] as unknown as SealingKeys);
  },
};
