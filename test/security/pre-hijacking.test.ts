import { expect, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { connectionEndpoints } from '#contract/connections.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { teamHeader } from '#contract/team-header.ts';
import { teamAdministration } from '#contract/teams.ts';
import { type HttpRig, openHttpRig, type Sender } from '../http/http-rig.ts';
import { agent } from '../oauth/agent.ts';
import { until } from '../services/until.ts';

const prey = { email: 'prey@acme.example', password: "the attacker's own" };

async function opened(rig: HttpRig, input: { email: string; password: string }): Promise<Sender> {
  const response = await rig.send('/api/identity/sign-up', { method: 'POST', body: JSON.stringify(input) });
  expect(response.status).toBe(200);
  return senderIn(response);
}

const senderIn = (response: Response): Sender => ({
  cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  'x-lectern-csrf': '1',
});

async function mailOf(rig: HttpRig, to: string, subject: RegExp): Promise<string> {
  const { id } = await until('the mail is there', async () =>
    (await rig.ask(outboxEndpoints.listOutbox, {})).mails.find((mail) => mail.to === to && subject.test(mail.subject)),
  );
  return (await rig.ask(outboxEndpoints.readOutboxMail, { mailId: id })).mail.text;
}

const codeIn = (text: string) => /oobCode=([\w-]+)/.exec(text)?.[1] ?? '';
const isSignedIn = async (rig: HttpRig, sender: Sender) =>
  (await rig.ask(accountEndpoints.getSession, {}, sender)).user !== null;

async function verifiedPerson(rig: HttpRig, email: string): Promise<Sender> {
  const sender = await opened(rig, { email, password: 'correct horse' });
  const oobCode = codeIn(await mailOf(rig, email, /^Verify/));
  await rig.ask(identityEndpoints.applyVerificationCode, { oobCode }, sender);
  return sender;
}

test('a user who signed up with another person’s address gets nothing when its owner verifies it', async () => {
  const rig = await openHttpRig();
  const admin = await verifiedPerson(rig, 'admin@acme.example');
  const { teamId } = await rig.ask(teamAdministration.createTeam, { teamName: 'Acme' }, admin);
  const attacker = await opened(rig, prey);
  const { token } = await rig.ask(identityEndpoints.issueIdentityToken, {}, attacker);
  const teamMembers = [{ email: prey.email, role: 'admin' as const }];
  await rig.ask(teamAdministration.inviteMembers, { teamId, teamMembers }, admin);
  const oobCode = codeIn(await mailOf(rig, prey.email, /^Verify/));

  const click = () => rig.refusal(identityEndpoints.applyVerificationCode, { oobCode }, {});
  expect(await click()).toMatchObject({ status: 403, code: 'verification-needs-password' });
  const respond = (sender: Sender) =>
    rig.send('/admin/teams/respond-to-invite', {
      ...{ method: 'POST', headers: sender },
      body: JSON.stringify({ teamId, response: 'accept' }),
    });
  expect((await respond(attacker)).status).toBe(403);

  const answer = await rig.send(identityEndpoints.applyVerificationCode.path, {
    method: 'POST',
    body: JSON.stringify({ oobCode, newPassword: "the owner's own" }),
  });
  expect([answer.status, await answer.json()]).toEqual([200, { wasVerified: false }]);
  expect(await isSignedIn(rig, attacker)).toBe(false);
  const byToken = await rig.refusal(keyEndpoints.listKeys, {}, { authorization: `Bearer ${token}` });
  expect(byToken).toMatchObject({ status: 401 });
  expect(await rig.refusal(identityEndpoints.signInWithEmail, prey, {})).toMatchObject({ status: 401 });
  // From now on strangers' wrong passwords do not lock the owner out of this browser.
  expect(answer.headers.getSetCookie().join()).toContain('lectern_device=');
  const owner = senderIn(answer);
  expect(await isSignedIn(rig, owner)).toBe(true);
  expect((await respond(owner)).status).toBe(200);
});

test('an invite that proves an address leaves the account with the session that accepted it', async () => {
  const rig = await openHttpRig();
  const admin = await verifiedPerson(rig, 'admin@acme.example');
  const { teamId } = await rig.ask(teamAdministration.createTeam, { teamName: 'Acme' }, admin);
  const other = await opened(rig, prey);
  const signIn = await rig.send('/api/identity/sign-in', { method: 'POST', body: JSON.stringify(prey) });
  const accepting = senderIn(signIn);
  const teamMembers = [{ email: prey.email, role: 'writer' as const }];
  await rig.ask(teamAdministration.inviteMembers, { teamId, teamMembers }, admin);
  const token = /\/accept\/([\w-]+)/.exec(await mailOf(rig, prey.email, /^Join/))?.[1] ?? '';
  await rig.ask(teamAdministration.acceptInvite, { token }, accepting);
  expect([await isSignedIn(rig, other), await isSignedIn(rig, accepting)]).toEqual([false, true]);
});

test('a password reset ends keys, team keys and connected applications, unless their owner keeps them', async () => {
  const rig = await openHttpRig();
  const email = 'anna@docs.example';
  let person = await verifiedPerson(rig, email);
  const { teamId } = await rig.ask(teamAdministration.createTeam, { teamName: 'Acme' }, person);
  const application = agent('session-less', `${rig.url}/mcp`);
  const toOpen = await application.connect();
  const redirected = await rig.send(`${toOpen?.pathname}${toOpen?.search}`);
  const request = new URL(redirected.headers.get('location') ?? '', rig.url).search.slice(1);
  const input = { request, isAllowed: true, workspaceId: 'individual' };
  await application.finish(new URL((await rig.ask(connectionEndpoints.answerConsent, input, person)).url));
  const keys: Sender[] = [];
  for (const headers of [person, { ...person, [teamHeader]: teamId }]) {
    const { secret } = await rig.ask(keyEndpoints.createKey, { name: 'agent' }, headers);
    keys.push({ authorization: `Bearer ${secret}` });
  }
  const reset = async (newPassword: string, keepsAgents?: boolean) => {
    const { mails } = await rig.ask(outboxEndpoints.listOutbox, {});
    const before = new Set(mails.map(({ id }) => id));
    await rig.ask(identityEndpoints.sendPasswordReset, { email }, {});
    const { id } = await until('a reset mail is there', async () =>
      (await rig.ask(outboxEndpoints.listOutbox, {})).mails.find((mail) => !before.has(mail.id)),
    );
    const oobCode = codeIn((await rig.ask(outboxEndpoints.readOutboxMail, { mailId: id })).mail.text);
    const described = await rig.ask(identityEndpoints.verifyResetCode, { oobCode }, {});
    await rig.ask(identityEndpoints.confirmReset, { oobCode, newPassword, keepsAgents }, {});
    return described;
  };
  const statuses = () =>
    Promise.all(keys.map(async (headers) => (await rig.send(libraryEndpoints.listModules.path, { headers })).status));
  expect(await reset('kept one', true)).toEqual({ email, apiKeys: 2, connections: 1 });
  expect(await statuses()).toEqual([200, 200]);
  expect(await application.connect()).toBeUndefined();
  expect(await reset('ended all')).toEqual({ email, apiKeys: 2, connections: 1 });
  expect(await statuses()).toEqual([401, 401]);
  expect((await application.connect())?.pathname).toBe('/oauth/authorize');
  const body = JSON.stringify({ email, password: 'ended all' });
  person = senderIn(await rig.send('/api/identity/sign-in', { method: 'POST', body }));
  expect((await rig.ask(connectionEndpoints.listConnections, {}, person)).connections).toEqual([]);
  expect((await rig.ask(keyEndpoints.listKeys, {}, person)).keys).toMatchObject([{ isActive: false }]);
});
