import { expect, test } from 'vitest';
import { onEachDatabase } from '#test/services/database.ts';
import { browserAt, refusal, type SampleContext } from '#test/services/sample-identity.ts';
import { addressOf, openTeamSample } from '#test/services/sample-installation.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { acceptInvite } from './accept-invite.ts';
import { deleteTeam } from './change-teams.ts';
import { inviteMembers } from './invite-members.ts';
import { leaveAllTeams, leaveTeam, removeMember, requireNoTeamDependsOn, setRole } from './members.ts';

const done = 'nothing refused';
const browser = browserAt();

onEachDatabase('concurrent team changes', (kind) => {
  /** Anna and Bert are admins of a team, Clara is a reader. */
  async function openSample() {
    const sample = await openTeamSample(kind);
    const anna = await sample.person('anna');
    const teamId = await sample.found(anna);
    const bert = await sample.member(anna, teamId, 'bert', 'admin');
    const clara = await sample.member(anna, teamId, 'clara', 'reader');
    const idOf = (name: string) => sample.membershipId(anna, teamId, addressOf(name));
    const ids = { anna: await idOf('anna'), bert: await idOf('bert'), clara: await idOf('clara') };
    return { ...sample, anna, bert, clara, teamId, ids };
  }
  const together = async (attempts: (() => Promise<unknown>)[]) =>
    (await Promise.all(attempts.map((attempt) => refusal(attempt())))).sort();
  const people = async ({ db }: SampleContext, teamId: string) =>
    db.query
      .selectFrom('memberships')
      .selectAll()
      .where('teamId', '=', teamId)
      .where('state', '=', 'accepted')
      .where('endedAt', 'is', null)
      .execute();
  const admins = async (ctx: SampleContext, teamId: string) =>
    (await people(ctx, teamId)).filter(({ role }) => role === 'admin').length;

  test('when two admins demote each other, one stays an admin', async () => {
    const { anna, bert, teamId, ids, teams } = await openSample();
    const codes = await together([
      () => setRole(anna, { teamId, membershipId: ids.bert, role: 'reader' }, teams),
      () => setRole(bert, { teamId, membershipId: ids.anna, role: 'reader' }, teams),
    ]);
    expect(codes).toEqual([done, 'permission-denied']);
    expect(await admins(anna, teamId)).toBe(1);
  });

  test('when two admins remove each other, one stays', async () => {
    const { anna, bert, teamId, ids, teams } = await openSample();
    const codes = await together([
      () => removeMember(anna, { teamId, membershipId: ids.bert }, teams),
      () => removeMember(bert, { teamId, membershipId: ids.anna }, teams),
    ]);
    expect(codes).toEqual([done, 'team-not-found']);
    expect(await admins(anna, teamId)).toBe(1);
  });

  test('when two admins leave or give up their role, the last one stays', async () => {
    const { anna, bert, teamId, ids, teams } = await openSample();
    const codes = await together([
      () => leaveTeam(anna, { teamId, membershipId: ids.anna }, teams),
      () => setRole(bert, { teamId, membershipId: ids.bert, role: 'writer' }, teams),
    ]);
    expect(codes).toEqual(['last-admin', done]);
    expect(await admins(anna, teamId)).toBe(1);
  });

  test('the last admin cannot leave even when trying twice, and a member leaves once', async () => {
    const { anna, clara, teamId, ids, teams } = await openSample();
    await removeMember(anna, { teamId, membershipId: ids.bert }, teams);
    const leave = (who: SampleContext, membershipId: string) => () => leaveTeam(who, { teamId, membershipId }, teams);
    expect(await together([leave(anna, ids.anna), leave(anna, ids.anna)])).toEqual(['last-admin', 'last-admin']);
    expect(await together([leave(clara, ids.clara), leave(clara, ids.clara)])).toEqual([done, 'team-not-found']);
    expect(await people(anna, teamId)).toHaveLength(1);
  });

  test.each([2, 20])('an invite accepted %i times creates one membership', async (times) => {
    const { anna, teamId, invite, person, teams } = await openSample();
    const dora = await person('dora');
    const token = await invite(anna, teamId, addressOf('dora'));
    const accept = () => acceptInvite(dora, { token }, browser, teams);
    const codes = await together(Array.from({ length: times }, () => accept));
    expect(codes).toEqual([...Array(times - 1).fill('already-member'), done]);
    expect(await people(anna, teamId)).toHaveLength(4);
    const audit = await anna.db.query.selectFrom('auditLog').select('action').execute();
    expect(audit.filter(({ action }) => action === 'invite.accept')).toHaveLength(3);
  });

  test('an invite withdrawn during acceptance leaves no member', async () => {
    const { anna, teamId, invite, person, membershipId, teams } = await openSample();
    const dora = await person('dora');
    for (let round = 0; round < 5; round += 1) {
      const token = await invite(anna, teamId, addressOf('dora'));
      const id = await membershipId(anna, teamId, addressOf('dora'));
      const codes = await together([
        () => acceptInvite(dora, { token }, browser, teams),
        () => removeMember(anna, { teamId, membershipId: id }, teams),
      ]);
      expect([
        [done, done],
        ['invite-not-found', done],
      ]).toContainEqual(codes);
      expect(await people(anna, teamId)).toHaveLength(3);
      anna.clock.advance(3_600_000);
    }
  });

  test('a team deleted while an invite is accepted leaves nothing behind', async () => {
    const { anna, teamId, invite, person, teams } = await openSample();
    const dora = await person('dora');
    const token = await invite(anna, teamId, addressOf('dora'));
    const codes = await together([
      () => acceptInvite(dora, { token }, browser, teams),
      () => deleteTeam(anna, { teamId }, teams),
    ]);
    expect([
      [done, done],
      ['invite-not-found', done],
    ]).toContainEqual(codes);
    expect(await anna.db.query.selectFrom('memberships').selectAll().execute()).toEqual([]);
  });

  test('two admins inviting one address create one invite and send one mail', async () => {
    const { anna, bert, teamId, teams, tokensTo } = await openSample();
    const teamMembers = [{ email: addressOf('dora'), role: 'writer' as const }];
    const outcomes = await Promise.all(
      [anna, bert].map(async (who) => (await inviteMembers(who, { teamId, teamMembers }, teams))[0]?.outcome),
    );
    expect(new Set(outcomes)).toEqual(new Set(['already-invited', 'invited']));
    expect(await tokensTo(addressOf('dora'))).toHaveLength(1);
  });

  test('when an admin leaves while the other deletes their account, an admin remains', async () => {
    const { anna, bert, teamId, ids, teams, deps } = await openSample();
    const deletion = {
      requireNoDependants: requireNoTeamDependsOn,
      leaving: (tx: Parameters<typeof leaveAllTeams>[0], userId: string, now: number) =>
        leaveAllTeams(tx, userId, now, teams),
      deleted: async () => undefined,
    };
    const codes = await together([
      () => leaveTeam(anna, { teamId, membershipId: ids.anna }, teams),
      () => deleteAccount(bert, {}, { ...deps, deletion }),
    ]);
    expect([
      ['last-admin', done],
      ['last-admin-of-team', done],
    ]).toContainEqual(codes);
    expect(await admins(anna, teamId)).toBe(1);
  });
});
