import { describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { teamAdministration as admin, teamEndpoints } from '#contract/teams.ts';
import { newToken } from '#server/features/accounts/index.ts';
import { attacksOf } from '../services/attacks.ts';
import { until } from '../services/until.ts';
import {
  type Answer,
  askAgent,
  openStage,
  openStageWithDocs,
  type Person,
  type Stage,
  type Team,
} from './team-cast.ts';

/** Cases by id that are tested elsewhere, or that concern missing features. */
const elsewhere: Record<string, string> = {
  'invite-0008': 'the token is kept by the browser: the suite of its screens looks after it',
  'invite-0012': 'seats are tried beside billing, in server/features/billing/seats.test.ts',
};

const accept = ({ ask, senders }: Stage, token: string, person: Person, more = {}) =>
  ask(admin.acceptInvite, { token, ...more }, senders[person]);
const errorOf = ({ body }: Answer) => (JSON.parse(body) as { error?: string }).error;
const notFound = { status: 404, error: "We couldn't find a team invitation linked to this URL." };
const told = (answer: Answer) => ({ status: answer.status, error: errorOf(answer) });

async function membersOf({ ask, senders }: Stage, { teamId }: Team) {
  const { body } = await ask(teamEndpoints.listTeamMembers, { teamId }, senders.founder);
  return (JSON.parse(body) as { members: { email: string; role: string; state: string; hasPaidSeat: boolean }[] })
    .members;
}

const mailsOf = async ({ rig }: Stage, address: string) => {
  const { mails } = await rig.ask(outboxEndpoints.listOutbox, {});
  const own = mails.filter(({ to }) => to.includes(address));
  return Promise.all(own.map(async ({ id }) => (await rig.ask(outboxEndpoints.readOutboxMail, { mailId: id })).mail));
};

const checks: Record<string, () => Promise<void>> = {
  async 'invite-0001'() {
    const stage = await openStage();
    const team = await stage.team();
    expect((await accept(stage, team.inviteToken, 'invited')).status).toBe(200);
    expect(told(await accept(stage, team.inviteToken, 'invited'))).toEqual({
      status: 409,
      error: 'You are already a member of this team.',
    });
    expect((await membersOf(stage, team)).filter(({ email }) => email === 'invited@example.org')).toHaveLength(1);
  },
  async 'invite-0002'() {
    const stage = await openStage();
    const team = await stage.team();
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(stage, team.inviteToken, 'invited')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const own = (await membersOf(stage, team)).filter(({ email }) => email === 'invited@example.org');
    expect(own).toMatchObject([{ state: 'accepted', hasPaidSeat: false }]);
  },
  async 'invite-0003'() {
    const stage = await openStage();
    const team = await stage.team();
    for (const person of ['outsider', 'removed', 'founder'] as const) {
      expect((await accept(stage, team.inviteToken, person)).status).toBe(403);
    }
    expect((await accept(stage, team.inviteToken, 'invited')).status).toBe(200);
  },
  async 'invite-0004'() {
    const stage = await openStage();
    const team = await stage.team();
    const { query } = stage.rig.running.installation.base.db;
    for (const other of ['in.vited@example.org', 'invited+x@example.org']) {
      await query.updateTable('users').set({ email: other }).where('id', '=', 'outsider').execute();
      expect((await accept(stage, team.inviteToken, 'outsider')).status).toBe(403);
    }
    const input = { teamId: team.teamId, teamMembers: ['INVITED@Example.ORG'] };
    const { body } = await stage.ask(admin.inviteMembers, input, stage.senders.founder);
    expect(JSON.parse(body)).toMatchObject({ invites: [{ outcome: 'already-invited' }] });
  },
  async 'invite-0005'() {
    const stage = await openStage();
    const team = await stage.team();
    const input = { teamId: team.teamId, membershipId: team.membershipIds.invited };
    expect((await stage.ask(admin.removeMember, input, stage.senders.admin)).status).toBe(200);
    expect(told(await accept(stage, team.inviteToken, 'invited'))).toEqual(notFound);
  },
  async 'invite-0006'() {
    const stage = await openStage();
    const team = await stage.team();
    const input = { teamId: team.teamId, membershipId: team.membershipIds.invited };
    expect((await stage.ask(admin.resendInvite, input, stage.senders.admin)).status).toBe(200);
    const second = await stage.ask(admin.resendInvite, input, stage.senders.founder);
    expect([second.status, errorOf(second)]).toEqual([429, 'Too many requests. Try again in 60 seconds.']);
    expect(told(await accept(stage, team.inviteToken, 'invited'))).toEqual(notFound);
  },
  async 'invite-0007'() {
    const stage = await openStage();
    const answers: Answer[] = [];
    for (let at = 0; at < 100; at += 1) answers.push(await accept(stage, newToken(), 'outsider'));
    const wrong = answers.filter(({ status }) => status === 404);
    expect(wrong).toHaveLength(30);
    expect(new Set(wrong.map(({ body }) => body)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(70);
    const described = await stage.ask(teamEndpoints.describeInvite, { token: newToken() }, stage.anonymous);
    expect(described.status).toBe(429);
  },
  async 'invite-0009'() {
    const stage = await openStage();
    const team = await stage.team();
    const before = await membersOf(stage, team);
    const { teamId, membershipIds } = team;
    for (const role of ['writer', 'reader'] as const) {
      const invite = { teamId, teamMembers: [{ email: 'new@example.org', role: 'admin' }] };
      const raise = { teamId, membershipId: membershipIds[role], role: 'admin' };
      expect((await stage.ask(admin.inviteMembers, invite, stage.senders[role])).status).toBe(403);
      expect((await stage.ask(admin.setMemberRole, raise, stage.senders[role])).status).toBe(403);
    }
    expect(await membersOf(stage, team)).toEqual(before);
  },
  async 'invite-0010'() {
    const stage = await openStage();
    const team = await stage.team();
    expect((await accept(stage, team.inviteToken, 'invited', { role: 'admin', userId: 'outsider' })).status).toBe(400);
    expect((await accept(stage, team.inviteToken, 'invited')).status).toBe(200);
    const joined = (await membersOf(stage, team)).find(({ email }) => email === 'invited@example.org');
    expect(joined).toMatchObject({ role: 'writer', userId: 'invited' });
  },
  async 'invite-0011'() {
    const stage = await openStage();
    const team = await stage.team();
    expect((await stage.ask(admin.deleteTeam, { teamId: team.teamId }, stage.senders.founder)).status).toBe(200);
    expect(told(await accept(stage, team.inviteToken, 'invited'))).toEqual(notFound);
  },
  async 'invite-0013'() {
    const stage = await openStage();
    const { teamId, membershipIds } = await stage.team();
    const { founder } = stage.senders;
    const demote = { teamId, membershipId: membershipIds.admin, role: 'writer' };
    expect((await stage.ask(admin.setMemberRole, demote, founder)).status).toBe(200);
    const own = { teamId, membershipId: membershipIds.founder };
    for (const attempt of [
      stage.ask(admin.leaveTeam, own, founder),
      stage.ask(admin.removeMember, own, founder),
      stage.ask(admin.setMemberRole, { ...own, role: 'reader' }, founder),
    ]) {
      expect(told(await attempt)).toEqual({
        status: 409,
        error: 'A team needs an admin. Make another member an admin first, or delete the team.',
      });
    }
  },
  async 'invite-0014'() {
    const { acme, content, ...stage } = await openStageWithDocs();
    const { keyId, secret } = await stage.teamKey(acme, 'writer');
    const search = () => askAgent(stage.rig, secret, 'lectern_search_documentation', { query: 'original text page0' });
    expect(await search()).toContain(content);
    const removal = { teamId: acme.teamId, membershipId: acme.membershipIds.writer };
    const [running, removed] = await Promise.all([
      search(),
      stage.ask(admin.removeMember, removal, stage.senders.founder),
    ]);
    expect(removed.status).toBe(200);
    expect(running === 'refused' || running.includes(content)).toBe(true);
    expect(await search()).toBe('refused');
    const { query } = stage.rig.running.installation.base.db;
    const key = await query.selectFrom('apiKeys').selectAll().where('id', '=', keyId).executeTakeFirst();
    expect(key?.revokedAt).not.toBeNull();
  },
  async 'invite-0015'() {
    const stage = await openStage();
    const { teamId } = await stage.team();
    const invite = (count: number, from = 0) =>
      stage.ask(
        admin.inviteMembers,
        { teamId, teamMembers: Array.from({ length: count }, (_, at) => `guest${from + at}@example.org`) },
        stage.senders.founder,
      );
    const tooMany = await invite(500);
    expect([tooMany.status, errorOf(tooMany)]).toEqual([
      400,
      'The request is not valid: teamMembers: at most 100 people at once.',
    ]);
    // Without a plan few invites can be sent per day; refused ones do not count.
    expect((await invite(limits.freeInvitesPerDayMax + 1, 300)).status).toBe(429);
    await stage.rig.running.installation.base.db.query.updateTable('teams').set({ tier: 'Basic' }).execute();
    expect((await invite(limits.invitesPerCallMax)).status).toBe(200);
    expect((await invite(limits.invitesPerCallMax, 100)).status).toBe(200);
    expect((await invite(1, 200)).status).toBe(429);
    await until('all mails have left', async () => (await mailsOf(stage, 'guest199@example.org')).length === 1);
  },
  async 'invite-0016'() {
    const stage = await openStage();
    const teamName = 'Win\r\nBcc: a@evil.example <a href="https://evil.example/x">www.evil.example</a>';
    const input = { teamName, teamMembers: ['invited@example.org'] };
    expect((await stage.ask(admin.createTeam, input, stage.senders.outsider)).status).toBe(200);
    const [mail] = await until('the mail is there', async () => {
      const found = await mailsOf(stage, 'invited@example.org');
      return found.length > 0 ? found : undefined;
    });
    expect(mail?.to).toBe('invited@example.org');
    for (const text of [mail?.subject ?? '', mail?.text ?? '', mail?.html ?? '']) {
      expect(text).not.toMatch(/evil\.example|https?:\/\/evil|www\.evil|a@evil/);
      expect(text).not.toContain('<a href="https://evil');
    }
    expect(mail?.subject).not.toMatch(/[\r\n]/);
    const links = [...(mail?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
    expect(links).toEqual([expect.stringMatching(new RegExp(`^${stage.rig.url}/accept/[\\w-]{43}$`))]);
  },
};

const cases = attacksOf<{ id: string; case: string }>('invitations-and-seats.jsonl');

describe.skipIf(cases.length === 0)('invites', () => {
  test('every case is tested here or elsewhere', () => {
    expect(cases.map(({ id }) => id).filter((id) => checks[id] === undefined && elsewhere[id] === undefined)).toEqual(
      [],
    );
    console.warn(`not tried here: ${Object.keys(elsewhere).join(', ')}`);
  });

  test.each(cases.filter(({ id }) => checks[id] !== undefined))('$id: $case', async ({ id }) => {
    await checks[id]?.();
  });
});
