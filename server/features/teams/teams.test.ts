import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { browserAt, refusal } from '#test/services/sample-identity.ts';
import { addressOf, credits, openTeamSample } from '#test/services/sample-installation.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { requireUserId } from '../accounts/index.ts';
import { acceptInvite, describeInvite, respondToInvite } from './accept-invite.ts';
import { createTeam, deleteTeam, updateTeam } from './change-teams.ts';
import { getTeam, listMemberships, listTeamMembers, listTeams } from './index.ts';
import { inviteMembers, resendInvite } from './invite-members.ts';
import { leaveAllTeams, leaveTeam, removeMember, requireNoTeamDependsOn, setRole } from './members.ts';

const dayMs = 86_400_000;
const browser = browserAt();

onEachDatabase('teams', (kind) => {
  test('creating a team makes its founder an admin and invites members', async () => {
    const sample = await openTeamSample(kind);
    const anna = await sample.person('anna');
    const { teamId, invites } = await createTeam(
      anna,
      {
        teamName: '  Docs\r\nteam ',
        teamMembers: [
          { email: ' Bert@Docs.Example ', role: 'reader' },
          { email: 'bert@docs.example', role: 'admin' },
          { email: 'no address', role: 'writer' },
          { email: addressOf('anna'), role: 'writer' },
        ],
        shouldMigrateIndex: false,
      },
      sample.teams,
    );
    expect(invites.map(({ email, outcome }) => [email, outcome])).toEqual([
      ['bert@docs.example', 'invited'],
      [addressOf('anna'), 'already-member'],
      ['no address', 'invalid'],
    ]);
    expect(await listTeams(anna)).toMatchObject([{ teamId, name: 'Docs team', tier: 'Free', credits: 0 }]);
    expect(await listTeamMembers(anna, { teamId }, credits)).toMatchObject([
      { email: addressOf('anna'), role: 'admin', state: 'accepted', inviteInfo: null },
      { email: addressOf('bert'), role: 'reader', state: 'invited', userId: null },
    ]);
    const [mail] = await sample.mailsTo(addressOf('bert'));
    expect(mail?.subject).toBe('Join the team "Docs team" on Sample');
    expect(mail?.text.replaceAll('\u200a', '')).toMatch(
      /^anna \(anna@docs\.example\) invites you[\s\S]*https:\/\/docs\.example\/accept\/[\w-]{43}\n/,
    );
  });

  test('a domain whose letters may look like others is shown in ASCII too, to the inviter and the invited', async () => {
    const sample = await openTeamSample(kind);
    const anna = await sample.person('anna');
    const teamId = await sample.found(anna);
    await anna.db.query.updateTable('users').set({ email: 'anna@d\u043ecs.example' }).execute();
    const teamMembers = [{ email: 'bert@d\u043ecs.example', role: 'reader' as const }];
    const invites = await inviteMembers(anna, { teamId, teamMembers }, sample.teams);
    expect(invites[0]?.message).toContain('bert@d\u043ecs.example [xn--dcs-sed.example]');
    const [mail] = await sample.mailsTo('bert@d\u043ecs.example');
    expect(mail?.text.replaceAll('\u200a', '')).toContain('anna@d\u043ecs.example [xn--dcs-sed.example]');
  });

  test('the holder of a link sees the team and can join once, which verifies the address', async () => {
    const sample = await openTeamSample(kind);
    const anna = await sample.person('anna');
    const teamId = await sample.found(anna);
    const token = await sample.invite(anna, teamId, addressOf('bert'), 'reader');
    expect(await describeInvite(sample.visitor, { token }, browser)).toEqual({
      teamName: 'Docs',
      email: addressOf('bert'),
      role: 'reader',
      invitedBy: `anna (${addressOf('anna')})`,
      expiresAt: sample.visitor.clock.now() + 7 * dayMs,
    });
    const { ctx: bert, userId } = await sample.join(addressOf('bert'));
    expect(await listMemberships(bert, credits)).toEqual([]);
    expect(await acceptInvite(bert, { token }, browser, sample.teams)).toBe(teamId);
    const user = await bert.db.query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
    expect(user?.emailVerifiedAt).toBe(sample.visitor.clock.now());
    expect(await listMemberships(bert, credits)).toMatchObject([{ teamId, userId, role: 'reader', state: 'accepted' }]);
    expect((await getTeam(bert, { teamId })).memberIds).toHaveLength(2);
    expect(await refusal(acceptInvite(bert, { token }, browser, sample.teams))).toBe('already-member');
    const clara = await sample.person('clara');
    expect(await refusal(acceptInvite(clara, { token }, browser, sample.teams))).toBe('invite-not-found');
    expect(await refusal(describeInvite(sample.visitor, { token }, browser))).toBe('invite-not-found');
    const stored = JSON.stringify(await anna.db.query.selectFrom('memberships').selectAll().execute());
    const audit = JSON.stringify(await anna.db.query.selectFrom('auditLog').selectAll().execute());
    expect(stored + audit).not.toContain(token);
    expect(audit).not.toContain('@');
  });

  test('a link is refused for another address and stays valid for its own, ignoring case only', async () => {
    const sample = await openTeamSample(kind);
    const anna = await sample.person('anna');
    const teamId = await sample.found(anna);
    const token = await sample.invite(anna, teamId, 'Be.Rt+docs@Docs.Example');
    for (const name of ['bert', 'be.rt', 'bert+docs']) {
      const other = await sample.person(name);
      expect(await refusal(acceptInvite(other, { token }, browser, sample.teams))).toBe('invite-for-other-address');
    }
    const { ctx: bert } = await sample.join('BE.rt+Docs@docs.example');
    expect(await acceptInvite(bert, { token }, browser, sample.teams)).toBe(teamId);
  });

  test('a link expires after seven days, when sent again, and when the invite is withdrawn', async () => {
    const sample = await openTeamSample(kind);
    const { clock } = sample.visitor;
    const anna = await sample.person('anna');
    const bert = await sample.person('bert');
    const teamId = await sample.found(anna);
    const first = await sample.invite(anna, teamId, addressOf('bert'));
    const membershipId = await sample.membershipId(anna, teamId, addressOf('bert'));
    clock.advance(limits.inviteResendSeconds * 1000 - 1);
    const early = resendInvite(anna, { teamId, membershipId }, sample.teams);
    await expect(early).rejects.toMatchObject({ code: 'rate-limited', retryAfterSeconds: 1 });
    clock.advance(1);
    await resendInvite(anna, { teamId, membershipId }, sample.teams);
    const second = (await sample.tokensTo(addressOf('bert'))).at(-1) ?? '';
    expect(second).not.toBe(first);
    expect(await refusal(acceptInvite(bert, { token: first }, browser, sample.teams))).toBe('invite-not-found');
    clock.advance(7 * dayMs);
    expect(await refusal(acceptInvite(bert, { token: second }, browser, sample.teams))).toBe('invite-not-found');
    expect(await refusal(respondToInvite(bert, { teamId, response: 'accept' }))).toBe('invite-not-pending');
    expect(await listMemberships(bert, credits)).toEqual([]);
    const third = await sample.invite(anna, teamId, addressOf('bert'), 'reader');
    expect(await sample.membershipId(anna, teamId, addressOf('bert'))).toBe(membershipId);
    await removeMember(anna, { teamId, membershipId }, sample.teams);
    expect(await refusal(acceptInvite(bert, { token: third }, browser, sample.teams))).toBe('invite-not-found');
    expect(await refusal(resendInvite(anna, { teamId, membershipId }, sample.teams))).toBe('membership-not-found');
  });

  test('pending invites end when their last sender is removed, leaves, loses the role or is deleted', async () => {
    const sample = await openTeamSample(kind);
    const anna = await sample.person('anna');
    const teamId = await sample.found(anna);
    const idOf = (name: string) => sample.membershipId(anna, teamId, addressOf(name));
    const endings: Record<string, (bert: typeof anna, membershipId: string) => Promise<unknown>> = {
      removed: (_, membershipId) => removeMember(anna, { teamId, membershipId }, sample.teams),
      left: (bert, membershipId) => leaveTeam(bert, { teamId, membershipId }, sample.teams),
      lowered: (_, membershipId) => setRole(anna, { teamId, membershipId, role: 'writer' }, sample.teams),
      deleted: (bert) =>
        bert.db.transaction((tx) => leaveAllTeams(tx, requireUserId(bert), bert.clock.now(), sample.teams)),
    };
    for (const [name, end] of Object.entries(endings)) {
      const bert = await sample.member(anna, teamId, name, 'admin');
      const other = await sample.person(`${name}2`);
      const token = await sample.invite(bert, teamId, addressOf(`${name}2`), 'admin');
      const kept = await sample.person(`${name}3`);
      await sample.invite(bert, teamId, addressOf(`${name}3`), 'reader');
      anna.clock.advance(limits.inviteResendSeconds * 1000);
      await resendInvite(anna, { teamId, membershipId: await idOf(`${name}3`) }, sample.teams);
      await end(bert, await idOf(name));
      expect(await refusal(acceptInvite(other, { token }, browser, sample.teams)), name).toBe('invite-not-found');
      expect(await refusal(respondToInvite(other, { teamId, response: 'accept' })), name).toBe('invite-not-pending');
      await respondToInvite(kept, { teamId, response: 'accept' });
    }
  });

  test('an invite sent while the clock was a month ahead can be sent again without waiting', async () => {
    const sample = await openTeamSample(kind);
    const { clock } = sample.visitor;
    const anna = await sample.person('anna');
    const teamId = await sample.found(anna);
    const rightAt = clock.now();
    clock.advance(30 * dayMs);
    await sample.invite(anna, teamId, addressOf('bert'));
    const membershipId = await sample.membershipId(anna, teamId, addressOf('bert'));
    clock.set(rightAt);
    await resendInvite(anna, { teamId, membershipId }, sample.teams);
    expect(await sample.tokensTo(addressOf('bert'))).toHaveLength(2);
  });

  test('an invite waits for a verified address and can be accepted or declined there', async () => {
    const sample = await openTeamSample(kind);
    const anna = await sample.person('anna');
    const [one, two] = [await sample.found(anna, 'Zebra'), await sample.found(anna, 'ant')];
    const { ctx: bert, userId } = await sample.join(addressOf('bert'));
    await sample.invite(anna, one, addressOf('bert'));
    await sample.invite(anna, two, addressOf('bert'));
    expect(await refusal(respondToInvite(bert, { teamId: one, response: 'accept' }))).toBe('email-not-verified');
    await bert.db.query.updateTable('users').set({ emailVerifiedAt: 1 }).where('id', '=', userId).execute();
    expect(await listMemberships(bert, credits)).toMatchObject([
      {
        teamId: two,
        state: 'invited',
        userId: null,
        inviteInfo: { teamName: 'ant', invitedBy: `anna (${addressOf('anna')})` },
      },
      { teamId: one, state: 'invited' },
    ]);
    await respondToInvite(bert, { teamId: one, response: 'accept' });
    await respondToInvite(bert, { teamId: two, response: 'decline' });
    expect(await listMemberships(bert, credits)).toMatchObject([{ teamId: one, state: 'accepted', role: 'writer' }]);
    for (const [teamId, response] of [
      [one, 'accept'],
      [two, 'accept'],
      [two, 'decline'],
      ['nothing', 'decline'],
    ] as const) {
      expect(await refusal(respondToInvite(bert, { teamId, response }))).toBe('invite-not-pending');
    }
    expect(
      await inviteMembers(
        anna,
        { teamId: one, teamMembers: [{ email: addressOf('bert'), role: 'admin' }] },
        sample.teams,
      ),
    ).toMatchObject([{ outcome: 'already-member', message: 'bert@docs.example is already a member of this team.' }]);
  });

  test('the team and each user concerned are notified of every change in all their workspaces', async () => {
    const sample = await openTeamSample(kind);
    const { told, teams } = sample;
    const anna = await sample.person('anna');
    const bert = await sample.person('bert');
    const [annas, berts] = [anna, bert].map(({ workspace }) => workspace);
    /** Returns the workspaces notified since the last call. */
    const heard = () => new Set(told.splice(0));
    const teamId = await sample.found(anna);
    const all = new Set([`team:${teamId}`, annas, berts]);
    heard();
    await sample.invite(anna, teamId, addressOf('bert'));
    expect(heard()).toEqual(all);
    const membershipId = await sample.membershipId(anna, teamId, addressOf('bert'));
    await setRole(anna, { teamId, membershipId, role: 'reader' }, sample.teams);
    expect(heard()).toEqual(all);
    await respondToInvite(bert, { teamId, response: 'accept' });
    expect(heard()).toEqual(all);
    await updateTeam(anna, { teamId, name: 'Other' });
    expect(heard()).toEqual(all);
    await updateTeam(anna, { teamId, name: 'Other' });
    expect(heard()).toEqual(new Set());
    await removeMember(anna, { teamId, membershipId }, teams);
    expect(heard()).toEqual(all);
    await deleteTeam(anna, { teamId }, teams);
    expect(heard()).toEqual(new Set([`team:${teamId}`, annas]));
  });

  test('a deleted account leaves its teams and deletes those without other members, unless it is the last admin', async () => {
    const sample = await openTeamSample(kind);
    const anna = await sample.person('anna');
    const [alone, shared] = [await sample.found(anna, 'Alone'), await sample.found(anna, 'Shared')];
    await sample.invite(anna, alone, addressOf('bert'));
    const clara = await sample.member(anna, shared, 'clara', 'writer');
    const deletion = {
      requireNoDependants: requireNoTeamDependsOn,
      leaving: (tx: Parameters<typeof leaveAllTeams>[0], userId: string, now: number) =>
        leaveAllTeams(tx, userId, now, sample.teams),
      deleted: async () => undefined,
    };
    const goes = () => deleteAccount(anna, {}, { ...sample.deps, deletion });
    await expect(goes()).rejects.toMatchObject({
      code: 'last-admin-of-team',
      message:
        'This account is the last admin of the team "Shared". Make another member an admin, or delete the team, before you delete the account.',
    });
    expect(await listTeams(anna)).toHaveLength(2);
    const claras = await sample.membershipId(anna, shared, addressOf('clara'));
    await setRole(anna, { teamId: shared, membershipId: claras, role: 'admin' }, sample.teams);
    await goes();
    expect(await listTeams(clara)).toMatchObject([{ teamId: shared, memberIds: [expect.any(String)] }]);
    const { query } = clara.db;
    expect(await query.selectFrom('teams').select('id').execute()).toEqual([{ id: shared }]);
    const kept = JSON.stringify([
      await query.selectFrom('memberships').selectAll().execute(),
      await query.selectFrom('auditLog').selectAll().execute(),
    ]);
    expect(kept).not.toContain(addressOf('anna'));
  });

  test('inviting requires a verified address; mails, members and teams are limited', async () => {
    const sample = await openTeamSample(kind);
    const { ctx: nobody } = await sample.join(addressOf('nobody'));
    const create = (who: typeof nobody, teamMembers: { email: string; role: 'writer' }[]) =>
      createTeam(who, { teamName: 'Docs', teamMembers, shouldMigrateIndex: false }, sample.teams);
    const guest = { email: addressOf('guest'), role: 'writer' as const };
    expect(await refusal(create(nobody, [guest]))).toBe('email-not-verified');
    expect(await listTeams(nobody)).toEqual([]);
    const { teamId: own } = await create(nobody, []);
    const invite = (who: typeof nobody, teamId: string) =>
      refusal(inviteMembers(who, { teamId, teamMembers: [guest] }, sample.teams));
    expect(await invite(nobody, own)).toBe('email-not-verified');
    const anna = await sample.person('anna');
    const teamId = await sample.found(anna);
    const row = { teamId, role: 'writer', state: 'invited', joinedAt: 0, inviteExpiresAt: 9e12 } as const;
    const others = Array.from({ length: limits.teamMembersMax - 1 }, (_, at) => ({
      ...{ ...row, id: `other-${at}`, email: `other${at}@docs.example` },
    }));
    await anna.db.query.insertInto('memberships').values(others).execute();
    expect(await invite(anna, teamId)).toBe('team-full');
    expect(await sample.mailsTo(guest.email)).toEqual([]);
    for (let at = 1; at < limits.teamsPerPersonMax; at += 1) await sample.found(anna);
    expect(await refusal(create(anna, []))).toBe('too-many-teams');
    const bert = await sample.person('bert');
    const token = await sample.invite(bert, await sample.found(bert), addressOf('anna'));
    expect(await refusal(acceptInvite(anna, { token }, browser, sample.teams))).toBe('too-many-teams');
    expect(await listTeams(anna)).toHaveLength(limits.teamsPerPersonMax);
  });

  test('admins can change roles, remove members and delete the team; the last admin cannot leave', async () => {
    const sample = await openTeamSample(kind);
    const anna = await sample.person('anna');
    const teamId = await sample.found(anna);
    const bert = await sample.member(anna, teamId, 'bert', 'reader');
    const clara = await sample.member(anna, teamId, 'clara', 'writer');
    const idOf = (name: string) => sample.membershipId(anna, teamId, addressOf(name));
    const [annas, berts, claras] = [await idOf('anna'), await idOf('bert'), await idOf('clara')];
    const lastAdmin = [
      () => setRole(anna, { teamId, membershipId: annas, role: 'reader' }, sample.teams),
      () => leaveTeam(anna, { teamId, membershipId: annas }, sample.teams),
      () => removeMember(anna, { teamId, membershipId: annas }, sample.teams),
    ];
    for (const attempt of lastAdmin) expect(await refusal(attempt())).toBe('last-admin');
    await setRole(anna, { teamId, membershipId: berts, role: 'admin' }, sample.teams);
    await updateTeam(bert, { teamId, name: 'New name', showsKeysOnce: true });
    expect(await getTeam(clara, { teamId })).toMatchObject({ name: 'New name', showsKeysOnce: true });
    expect(await refusal(updateTeam(bert, { teamId, name: ' \n' }))).toBe('team-name-empty');
    await leaveTeam(anna, { teamId, membershipId: annas }, sample.teams);
    expect(await refusal(getTeam(anna, { teamId }))).toBe('team-not-found');
    expect(await refusal(leaveTeam(bert, { teamId, membershipId: claras }, sample.teams))).toBe('membership-not-found');
    await removeMember(bert, { teamId, membershipId: claras }, sample.teams);
    expect(await refusal(removeMember(bert, { teamId, membershipId: claras }, sample.teams))).toBe(
      'membership-not-found',
    );
    expect(await refusal(getTeam(clara, { teamId }))).toBe('team-not-found');
    await sample.invite(bert, teamId, addressOf('dora'));
    await deleteTeam(bert, { teamId }, sample.teams);
    expect(await listTeams(bert)).toEqual([]);
    expect(await bert.db.query.selectFrom('memberships').selectAll().execute()).toEqual([]);
    const audit = await anna.db.query.selectFrom('auditLog').selectAll().where('teamId', '=', teamId).execute();
    expect(new Set(audit.map(({ action }) => action))).toEqual(
      new Set([
        'team.create',
        'invite.create',
        'invite.accept',
        'member.set-role',
        'team.update',
        'member.leave',
        'member.remove',
        'team.delete',
      ]),
    );
  });
});
