import { expect, test } from 'vitest';
import { auditEndpoints } from '#contract/audit.ts';
import { creditEndpoints } from '#contract/credits.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { teamAdministration as admin, teamEndpoints } from '#contract/teams.ts';
import { openStage } from '../security/team-cast.ts';

test('every team endpoint responds by its schema', async () => {
  const { rig, senders, anonymous, ...stage } = await openStage();
  const asked = new Set<Endpoint>();
  const ask: typeof rig.ask = (endpoint, input, sender) => {
    asked.add(endpoint);
    return rig.ask(endpoint, input, sender);
  };
  const { founder, outsider, invited, reader } = senders;
  const { teamId, membershipIds, inviteToken: token } = await stage.team();
  const second = await stage.team();

  expect(await ask(teamEndpoints.describeInvite, { token }, anonymous)).toMatchObject({
    ...{ teamName: 'Acme', email: 'invited@example.org', role: 'writer', invitedBy: null },
  });
  expect((await ask(teamEndpoints.listMemberships, {}, invited)).memberships).toHaveLength(2);
  expect(await ask(admin.acceptInvite, { token }, invited)).toEqual({ success: true, teamId });
  const answer = { teamId: second.teamId, response: 'decline' } as const;
  expect(await ask(admin.respondToInvite, answer, invited)).toEqual({ success: true, teamId: second.teamId });
  expect((await ask(teamEndpoints.listTeams, {}, invited)).teams).toMatchObject([{ teamId, name: 'Acme' }]);
  expect((await ask(teamEndpoints.getTeam, { teamId }, reader)).team.memberIds).toContain('invited');

  const members = (await ask(teamEndpoints.listTeamMembers, { teamId }, founder)).members;
  expect(members.map(({ displayName, accountCredits }) => [displayName, accountCredits])).toEqual(
    ['admin', 'founder', 'invited', 'writer', 'reader'].map((name) => [name, 100]),
  );
  const seenByReader = (await ask(teamEndpoints.listTeamMembers, { teamId }, reader)).members;
  expect(seenByReader.filter(({ accountCredits }) => accountCredits !== null)).toMatchObject([{ userId: 'reader' }]);
  expect((await ask(creditEndpoints.getMemberUsage, { teamId }, founder)).members).toBeDefined();

  const renamed = await ask(teamEndpoints.updateTeam, { teamId, name: 'Renamed', showsKeysOnce: true }, founder);
  expect(renamed.team).toMatchObject({ name: 'Renamed', showsKeysOnce: true });
  const teamMembers = ['new@example.org', { email: 'reader@example.org', role: 'admin' as const }];
  const { invites } = await ask(admin.inviteMembers, { teamId, teamMembers }, founder);
  expect(invites.map(({ outcome }) => outcome)).toEqual(['invited', 'already-member']);
  const other = await stage.team();
  const invite = { teamId: other.teamId, membershipId: other.membershipIds.invited };
  expect(await ask(admin.resendInvite, invite, founder)).toEqual({ success: true });
  const change = { teamId, membershipId: membershipIds.reader, role: 'writer' } as const;
  expect(await ask(admin.setMemberRole, change, founder)).toEqual({ success: true });
  expect(await ask(admin.removeMember, { teamId, membershipId: membershipIds.writer }, founder)).toEqual({
    success: true,
  });
  const own = { teamId, membershipId: membershipIds.reader };
  expect(await ask(admin.leaveTeam, own, reader)).toEqual({ success: true });

  const { entries, nextCursor } = await ask(auditEndpoints.listAudit, { teamId, limit: 3 }, founder);
  expect([entries.length, typeof nextCursor]).toEqual([3, 'string']);
  const file = await rig.send(`/api/teams/${teamId}/audit.csv`, { headers: founder });
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
  const lines = (await file.text()).split('\r\n');
  expect(lines).toHaveLength(8);
  expect(lines[0]).toMatch(/,team_id,team_name$/);
  for (const line of lines.slice(1, -1)) expect(line).toContain(`,${teamId},`);
  asked.add(auditEndpoints.exportAudit);

  const founded = await ask(admin.createTeam, { teamName: 'New', teamMembers: ['founder@example.org'] }, outsider);
  expect(founded).toMatchObject({ success: true, invites: [{ outcome: 'invited' }] });
  expect(await ask(admin.deleteTeam, { teamId: founded.teamId }, outsider)).toEqual({ success: true });
  const all = [teamEndpoints, admin, auditEndpoints].flatMap((group) => Object.values<Endpoint>(group));
  expect(all.filter((endpoint) => !asked.has(endpoint)).map(({ path }) => path)).toEqual([]);
});
