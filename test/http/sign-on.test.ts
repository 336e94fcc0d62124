import { expect, onTestFinished, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { auditEndpoints } from '#contract/audit.ts';
import { identityEndpoints } from '#contract/identity.ts';
import type { IdentityMessage } from '#contract/identity-channel.ts';
import * as limits from '#contract/limits.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { signOnCallbackPath, signOnEndpoints, signOnStartPath } from '#contract/sign-on.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { freshDatabaseConfig, onEachDatabase } from '../services/database.ts';
import { startDnsServer } from '../services/dns-server.ts';
import { startIdentityProvider } from '../services/identity-provider.ts';
import { type HttpRig, openHttpRig, refusalOf, type Sender } from './http-rig.ts';

async function openRig(environment: Record<string, string> = {}) {
  const provider = await startIdentityProvider();
  const dns = await startDnsServer();
  onTestFinished(async () => {
    await provider.stop();
    await dns.stop();
  });
  const rig = await openHttpRig({
    ...{ LECTERN_ALLOW_HOSTS: provider.host, LECTERN_DNS_SERVERS: dns.address, ...environment },
  });
  const { db } = rig.running.installation.base;
  /** Returns a signed-in user with a verified address. */
  const person = async (email: string): Promise<Sender> => {
    const body = JSON.stringify({ email, password: 'correct horse' });
    const response = await rig.send('/api/identity/sign-up', { method: 'POST', body });
    await db.query.updateTable('users').set({ emailVerifiedAt: 1 }).where('email', '=', email).execute();
    return { cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'x-lectern-csrf': '1' };
  };
  const found = async (admin: Sender) =>
    (await rig.ask(teamAdministration.createTeam, { teamName: 'Docs' }, admin)).teamId;
  const settings = { domain: 'Docs.Example', issuer: provider.url, ...provider.client, defaultRole: 'reader' as const };
  return { rig, provider, dns, db, person, found, settings };
}
type Rig = Awaited<ReturnType<typeof openRig>>;

/** Creates a team with working sign-on. */
async function openTeam(parts: Rig) {
  const { rig, dns, person, found, settings } = parts;
  const admin = await person('eve@other.example');
  const teamId = await found(admin);
  const { signOn } = await rig.ask(signOnEndpoints.setSignOn, { teamId, ...settings }, admin);
  dns.records.set(signOn.record.name, ['something else', signOn.record.value]);
  await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId }, admin);
  return { admin, teamId, signOn };
}

interface Outcome {
  message: IdentityMessage;
  cookie: string;
}

/** Does the browser's part, from the sign-in page to the end of the popup. */
async function signIn(rig: HttpRig, email: string, personId: number, own = ''): Promise<Outcome> {
  const started = await begin(rig, email);
  if (started.status !== 200) return refusedOutcome(started);
  const { attempt, at } = await begunOf(started);
  expect(at.searchParams.get('login_hint')).toBe(email);
  at.searchParams.set('person', String(personId));
  const back = new URL((await fetch(at, { redirect: 'manual' })).headers.get('location') ?? '');
  return outcomeOf(await rig.send(back.pathname + back.search, { headers: { cookie: `${attempt}; ${own}` } }));
}

const begin = (rig: HttpRig, email: string) =>
  rig.send(`${signOnStartPath}?email=${encodeURIComponent(email)}&cont=/keys`, { method: 'POST' });

async function begunOf(started: Response): Promise<{ attempt: string; at: URL }> {
  const { redirectTo } = (await started.json()) as { redirectTo: string };
  return { attempt: (started.headers.get('set-cookie') ?? '').split(';')[0] ?? '', at: new URL(redirectTo) };
}

async function refusedOutcome(started: Response): Promise<Outcome> {
  const { code, message } = await refusalOf(started);
  return { message: { type: 'sign-in-failed', code, message } as IdentityMessage, cookie: '' };
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const text = /id="outcome">(.*?)<\/script>/.exec(await response.text())?.[1] ?? '{}';
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const cookie = cookies.find((one) => /^lectern_session=.+/.test(one)) ?? '';
  return { message: (JSON.parse(text) as Outcome).message, cookie };
}

const failed = (code: string) => ({ type: 'sign-in-failed', code });

test('a domain is proved by its DNS record, and then its people sign in and become members', async () => {
  const parts = await openRig();
  const { rig, dns, person, found, settings } = parts;
  const admin = await person('eve@other.example');
  const teamId = await found(admin);
  expect(await rig.ask(signOnEndpoints.getSignOn, { teamId }, admin)).toEqual({
    signOn: null,
    redirectUri: `${rig.url}/api/identity/sign-on/callback/${teamId}`,
  });
  const { signOn } = await rig.ask(signOnEndpoints.setSignOn, { teamId, ...settings }, admin);
  expect(signOn).toMatchObject({ domain: 'docs.example', verifiedAt: null, record: { name: '_lectern.docs.example' } });
  expect(await rig.ask(signOnEndpoints.findSignOn, { email: 'ada@docs.example' }, {})).toEqual({ isAvailable: false });
  expect((await signIn(rig, 'ada@docs.example', 1001)).message).toMatchObject(failed('sign-on-not-found'));

  const verify = () => rig.refusal(signOnEndpoints.verifySignOnDomain, { teamId }, admin);
  expect(await verify()).toMatchObject({ status: 409, code: 'domain-not-proved' });
  dns.records.set(signOn.record.name, ['lectern-domain=another']);
  expect(await verify()).toMatchObject({ status: 409, code: 'domain-not-proved' });
  dns.records.set(signOn.record.name, [signOn.record.value]);
  const proved = await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId }, admin);
  expect(proved.signOn.verifiedAt).not.toBeNull();
  expect(await rig.ask(signOnEndpoints.findSignOn, { email: 'Ada@docs.example' }, {})).toEqual({ isAvailable: true });

  const first = await signIn(rig, 'ada@docs.example', 1001);
  expect(first.message).toEqual({ type: 'signed-in', isNewAccount: true });
  const ada = { cookie: first.cookie };
  const { user } = await rig.ask(accountEndpoints.getSession, {}, ada);
  expect(user).toMatchObject({ email: 'ada@docs.example', displayName: 'Ada Sample', isEmailVerified: true });
  const { memberships } = await rig.ask(teamEndpoints.listMemberships, {}, ada);
  expect(memberships).toMatchObject([{ teamId, role: 'reader', state: 'accepted' }]);
  parts.provider.misbehaviour = { takesForms: true };
  const second = await signIn(rig, 'ada@docs.example', 1001);
  expect(second.message).toEqual({ type: 'signed-in', isNewAccount: false });
  expect((await rig.ask(teamEndpoints.listTeamMembers, { teamId }, admin)).members).toHaveLength(2);
});

test('a pending invite gives its role, and a removed member does not return by signing in', async () => {
  const parts = await openRig();
  const { rig } = parts;
  const { admin, teamId } = await openTeam(parts);
  const teamMembers = [{ email: 'ada@docs.example', role: 'writer' as const }];
  await rig.ask(teamAdministration.inviteMembers, { teamId, teamMembers }, admin);
  await signIn(rig, 'ada@docs.example', 1001);
  const members = async () => (await rig.ask(teamEndpoints.listTeamMembers, { teamId }, admin)).members;
  const ada = (await members()).find(({ email }) => email === 'ada@docs.example');
  expect(ada).toMatchObject({ role: 'writer', state: 'accepted' });
  await rig.ask(teamAdministration.removeMember, { teamId, membershipId: ada?.membershipId ?? '' }, admin);
  expect((await signIn(rig, 'ada@docs.example', 1001)).message).toMatchObject({ type: 'signed-in' });
  expect(await members()).toHaveLength(1);
});

test('a wrong token, another domain, or an account that may belong to someone else is refused', async () => {
  const parts = await openRig();
  const { rig, provider, db, person } = parts;
  const { admin, teamId } = await openTeam(parts);
  const [ada] = provider.people;
  const attempt = async () => (await signIn(rig, 'ada@docs.example', 1001)).message;
  provider.misbehaviour = { signature: 'other-key' };
  expect(await attempt()).toMatchObject(failed('sign-in-failed'));
  provider.misbehaviour = { claims: { aud: 'somebody else' } };
  expect(await attempt()).toMatchObject(failed('sign-in-failed'));
  provider.misbehaviour = { claims: { email: 'ada@evil.example' } };
  expect(await attempt()).toMatchObject(failed('sign-on-other-address'));
  provider.misbehaviour = { claims: { email: 'ada@sub.docs.example' } };
  expect(await attempt()).toMatchObject(failed('sign-on-other-address'));
  provider.misbehaviour = { isBroken: true };
  expect(await attempt()).toMatchObject({ type: 'sign-in-failed' });
  provider.misbehaviour = {};
  // A stranger may have signed up with the address and be waiting for its owner to verify it.
  const stranger = await person('ada@docs.example');
  await db.query.updateTable('users').set({ emailVerifiedAt: null }).where('email', '=', 'ada@docs.example').execute();
  if (ada !== undefined) ada.isEmailVerified = false;
  expect(await attempt()).toMatchObject(failed('account-exists-with-different-credential'));
  expect((await rig.ask(teamEndpoints.listTeamMembers, { teamId }, admin)).members).toHaveLength(1);
  expect((await rig.ask(accountEndpoints.getSession, {}, stranger)).user).not.toBeNull();
  if (ada !== undefined) ada.isEmailVerified = true;
  expect(await attempt()).toMatchObject({ type: 'signed-in' });
  expect((await rig.ask(accountEndpoints.getSession, {}, stranger)).user).toBeNull();
});

test('an address that is only in the userinfo response counts, if the response is about the same account', async () => {
  const parts = await openRig();
  const { rig, provider } = parts;
  await openTeam(parts);
  const attempt = async () => (await signIn(rig, 'ada@docs.example', 1001)).message;
  const claims = { email: undefined, email_verified: undefined };
  provider.misbehaviour = { claims: { ...claims, name: null } };
  expect(await attempt()).toMatchObject(failed('service-email-missing'));
  const email = 'ada@docs.example';
  for (const [userInfo, code] of [
    [{ sub: '1002', email }, 'sign-in-failed'],
    [{ email }, 'sign-in-failed'],
    [{ sub: '1001' }, 'service-email-missing'],
    [{ sub: '1001', email: 'ada@evil.example' }, 'sign-on-other-address'],
  ] as const) {
    provider.misbehaviour = { claims, userInfo };
    expect(await attempt()).toMatchObject(failed(code));
  }
  provider.misbehaviour = { claims, userInfo: { sub: '1001', email, email_verified: true, name: null } };
  expect(await attempt()).toMatchObject({ type: 'signed-in' });
});

test('a signed-in user whose address was unverified gets a valid session when the provider verifies it', async () => {
  const parts = await openRig();
  const { rig, person, db } = parts;
  await openTeam(parts);
  const own = await person('ada@docs.example');
  await db.query.updateTable('users').set({ emailVerifiedAt: null }).where('email', '=', 'ada@docs.example').execute();
  const { message, cookie } = await signIn(rig, 'ada@docs.example', 1001, own['cookie']);
  expect(message).toMatchObject({ type: 'signed-in' });
  expect((await rig.ask(accountEndpoints.getSession, {}, { cookie })).user?.email).toBe('ada@docs.example');
});

test('an existing account with that verified address is the one signed in', async () => {
  const parts = await openRig();
  const { rig, person } = parts;
  await openTeam(parts);
  const before = await person('ada@docs.example');
  const { user } = await rig.ask(accountEndpoints.getSession, {}, before);
  const outcome = await signIn(rig, 'ada@docs.example', 1001);
  const now = await rig.ask(accountEndpoints.getSession, {}, { cookie: outcome.cookie });
  expect(now.user?.uid).toBe(user?.uid);
  // The account screen must not list it as a social service.
  const methods = await rig.ask(identityEndpoints.getSignInMethods, {}, { cookie: outcome.cookie });
  expect(JSON.stringify(methods)).not.toContain('sign-on');
});

test('an operator vouches only for the named domain and provider', async () => {
  const { rig, db, person, found, settings } = await openRig();
  const admin = await person('boss@other.example');
  const teamId = await found(admin);
  await rig.ask(signOnEndpoints.setSignOn, { teamId, ...settings }, admin);
  const vouchFor = { domain: 'docs.example', issuer: settings.issuer };
  const refused = (input: object) => rig.refusal(signOnEndpoints.verifySignOnDomain, { teamId, ...input }, admin);
  expect(await refused({ vouchFor })).toMatchObject({ status: 403 });
  await db.query.updateTable('users').set({ isOperator: 1 }).where('email', '=', 'boss@other.example').execute();
  for (const input of [{}, { vouchFor: { ...vouchFor, issuer: 'https://else.example' } }])
    expect(await refused(input)).toMatchObject({ status: 409, code: 'domain-not-proved' });
  const { signOn } = await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId, vouchFor }, admin);
  expect(signOn.verifiedAt).not.toBeNull();
  expect(await rig.ask(signOnEndpoints.withdrawDomain, { domain: 'docs.example' })).toEqual({ wasVouchedFor: true });
});

test.each(['team', 'address'])(
  'the limit of new accounts per %s does not affect existing accounts or vouched domains',
  async (of) => {
    const parts = await openRig();
    const { rig, db, settings } = parts;
    const { admin, teamId } = await openTeam(parts);
    const max = limits.signOnAccountsPerDayMax;
    const made = db.query.updateTable('rateCounts').where('bucket', 'like', `sign-on-made-${of}:%`);
    parts.provider.people.push({ id: 1003, name: 'Cy', email: 'cy@docs.example', isEmailVerified: true });
    await signIn(rig, 'ada@docs.example', 1001);
    await made.set({ count: max - 1 }).execute();
    expect((await signIn(rig, 'ben@docs.example', 1002)).message).toEqual({ type: 'signed-in', isNewAccount: true });
    for (const _again of [1, 2]) {
      const { message, cookie } = await signIn(rig, 'cy@docs.example', 1003);
      expect(message).toEqual({
        ...failed('sign-on-accounts-exceeded'),
        message: `Single sign-on made ${max} new accounts in a day for docs.example or from your network. No account was made for cy@docs.example. Try again in 24 h, or ask the operator to vouch for the domain. Existing accounts still sign in.`,
      });
      expect(cookie).toBe('');
    }
    const cy = db.query.selectFrom('users').selectAll().where('email', '=', 'cy@docs.example');
    expect(await cy.execute()).toEqual([]);
    expect((await signIn(rig, 'ada@docs.example', 1001)).message).toEqual({ type: 'signed-in', isNewAccount: false });
    await db.query.updateTable('users').set({ isOperator: 1 }).where('email', '=', 'eve@other.example').execute();
    const vouchFor = { domain: 'docs.example', issuer: settings.issuer };
    await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId, vouchFor }, admin);
    expect((await signIn(rig, 'cy@docs.example', 1003)).message).toEqual({ type: 'signed-in', isNewAccount: true });
  },
);

onEachDatabase('new accounts of a team', (kind) => {
  test('created at once use up the daily limit exactly', async () => {
    const database = await freshDatabaseConfig(kind);
    const parts = await openRig(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {});
    const { rig, db, provider } = parts;
    await openTeam(parts);
    await signIn(rig, 'ada@docs.example', 1001);
    const made = db.query.updateTable('rateCounts').where('bucket', 'like', 'sign-on-made-%');
    await made.set({ count: limits.signOnAccountsPerDayMax - 2 }).execute();
    const ids = [2001, 2002, 2003, 2004, 2005, 2006];
    const emailOf = (id: number) => `p${id}@docs.example`;
    provider.people.push(...ids.map((id) => ({ id, name: `P ${id}`, email: emailOf(id), isEmailVerified: true })));
    const outcomes = await Promise.all(ids.map(async (id) => (await signIn(rig, emailOf(id), id)).message));
    expect(outcomes.filter(({ type }) => type === 'signed-in')).toHaveLength(2);
    expect(outcomes).toEqual(expect.arrayContaining([expect.objectContaining(failed('sign-on-accounts-exceeded'))]));
    const users = db.query.selectFrom('users').select('id').where('email', 'like', 'p%@docs.example');
    expect(await users.execute()).toHaveLength(2);
  });
});

test('with sign-up closed, only a domain that an operator vouches for gets new accounts', async () => {
  const open = await openRig();
  const { admin, teamId, signOn } = await openTeam(open);
  const { rig, db, settings } = await reopenClosed(open);
  // The team's own record lets in people who have an account.
  expect(signOn.isVouchedFor).toBe(false);
  expect((await signIn(rig, 'ada@docs.example', 1001)).message).toMatchObject(failed('sign-up-closed'));
  const users = await db.query.selectFrom('users').select('email').execute();
  expect(users.map(({ email }) => email)).not.toContain('ada@docs.example');
  const vouchFor = { domain: 'docs.example', issuer: settings.issuer };
  await db.query.updateTable('users').set({ isOperator: 1 }).where('email', '=', 'eve@other.example').execute();
  const vouched = await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId, vouchFor }, admin);
  expect(vouched.signOn.isVouchedFor).toBe(true);
  expect((await signIn(rig, 'ada@docs.example', 1001)).message).toEqual({ type: 'signed-in', isNewAccount: true });
  await rig.ask(signOnEndpoints.withdrawDomain, { domain: 'docs.example' });
  // The record still proves the domain.
  expect((await signIn(rig, 'ada@docs.example', 1001)).message).toEqual({ type: 'signed-in', isNewAccount: false });
  expect((await signIn(rig, 'ben@docs.example', 1002)).message).toMatchObject(failed('sign-up-closed'));
});

test('the DNS record of a vouched domain is still checked', async () => {
  const { rig, dns, db, ...parts } = await openRig();
  const { admin, teamId, signOn } = await openTeam({ rig, dns, db, ...parts });
  await db.query.updateTable('users').set({ isOperator: 1 }).where('email', '=', 'eve@other.example').execute();
  const vouchFor = { domain: 'docs.example', issuer: parts.settings.issuer };
  await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId, vouchFor }, admin);
  const check = async (daysLater: number) => {
    const ctx = rig.running.installation.operatorContext();
    const now = () => ctx.clock.now() + daysLater * 86_400_000;
    await rig.running.installation.features.signOn.checkProofs({ ...ctx, clock: { ...ctx.clock, now } });
    return (await rig.ask(signOnEndpoints.getSignOn, { teamId }, admin)).signOn;
  };
  dns.records.delete(signOn.record.name);
  expect(await check(2)).toMatchObject({ missingSince: expect.any(Number), verifiedAt: expect.any(Number) });
  dns.records.set(signOn.record.name, [signOn.record.value]);
  const { signOn: found } = await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId }, admin);
  expect(found).toMatchObject({ missingSince: null, isVouchedFor: true });
  dns.records.delete(signOn.record.name);
  await check(4);
  expect(await check(10)).toMatchObject({ verifiedAt: null, isVouchedFor: false });
});

/** Restarts the server on the same data folder with sign-up closed. */
async function reopenClosed({ rig, dns, provider, settings }: Rig) {
  await rig.running.close();
  const closed = await openHttpRig({
    ...{ LECTERN_DATA: rig.dataFolder, LECTERN_SIGN_UP: 'closed' },
    ...{ LECTERN_ALLOW_HOSTS: provider.host, LECTERN_DNS_SERVERS: dns.address },
  });
  return { rig: closed, db: closed.running.installation.base.db, settings };
}

test.each(['before', 'after'])(
  'a team’s provider, connected %s, cannot sign in to an operator’s account',
  async (when) => {
    const parts = await openRig();
    await openTeam(parts);
    if (when === 'before') await signIn(parts.rig, 'ada@docs.example', 1001);
    else await parts.person('ada@docs.example');
    const { query } = parts.db;
    await query.updateTable('users').set({ isOperator: 1 }).where('email', '=', 'ada@docs.example').execute();
    const { message } = await signIn(parts.rig, 'ada@docs.example', 1001);
    expect(message).toMatchObject(failed('account-exists-with-different-credential'));
  },
);

test('a provider cannot sign in another user over a signed-in one', async () => {
  const parts = await openRig();
  const { rig, person, db } = parts;
  await openTeam(parts);
  const victim = await person('victim@corp.example');
  const { attempt, at } = await begunOf(await begin(rig, 'mallory@docs.example'));
  at.searchParams.set('person', '1001');
  const back = new URL((await fetch(at, { redirect: 'manual' })).headers.get('location') ?? '');
  const headers = { cookie: `${attempt}; ${victim['cookie']}` };
  const outcome = await outcomeOf(await rig.send(back.pathname + back.search, { headers }));
  expect(outcome).toMatchObject({ message: failed('signed-in-as-another'), cookie: '' });
  expect((await rig.ask(accountEndpoints.getSession, {}, victim)).user?.email).toBe('victim@corp.example');
  const ada = db.query.selectFrom('users').selectAll().where('email', '=', 'ada@docs.example');
  expect(await ada.execute()).toEqual([]);
});

test('a provider’s response is accepted at the address of its own team only', async () => {
  const parts = await openRig();
  const { rig, person, found } = parts;
  const { teamId } = await openTeam(parts);
  const other = await found(await person('mallory@evil.example'));
  const beginAndChoose = async () => {
    const { attempt: cookie, at } = await begunOf(await begin(rig, 'ada@docs.example'));
    at.searchParams.set('person', '1001');
    const back = new URL((await fetch(at, { redirect: 'manual' })).headers.get('location') ?? '');
    return { cookie, back };
  };
  const { cookie, back } = await beginAndChoose();
  expect(back.pathname).toBe(signOnCallbackPath(teamId));
  for (const path of [signOnCallbackPath(other), signOnCallbackPath(teamId)]) {
    // The attempt ends with the first response.
    const { message } = await outcomeOf(await rig.send(path + back.search, { headers: { cookie } }));
    expect(message).toMatchObject(failed('sign-in-failed'));
  }
  const again = await beginAndChoose();
  const right = await rig.send(again.back.pathname + again.back.search, { headers: { cookie: again.cookie } });
  expect((await outcomeOf(right)).message).toMatchObject({ type: 'signed-in' });
});

test('only admins configure it; for everyone else the team does not exist', async () => {
  const parts = await openRig();
  const { rig, person, settings } = parts;
  const { admin, teamId } = await openTeam(parts);
  const stranger = await person('mallory@evil.example');
  await signIn(rig, 'ada@docs.example', 1001);
  const reader = { cookie: (await signIn(rig, 'ada@docs.example', 1001)).cookie, 'x-lectern-csrf': '1' };
  const { getSignOn, setSignOn, verifySignOnDomain, removeSignOn } = signOnEndpoints;
  for (const endpoint of [getSignOn, setSignOn, verifySignOnDomain, removeSignOn]) {
    const input = { teamId, ...(endpoint === setSignOn ? settings : {}) };
    const none = { ...input, teamId: 'no-such-team' };
    expect(await rig.refusal(endpoint, input, {})).toMatchObject({ status: 401 });
    expect(await rig.refusal(endpoint, input, reader)).toMatchObject({ status: 403 });
    const { requestId: _one, ...refused } = await rig.refusal(endpoint, input, stranger);
    const { requestId: _other, ...absent } = await rig.refusal(endpoint, none, stranger);
    expect(refused).toEqual({ ...absent, code: 'team-not-found', status: 404 });
  }
  // This also applies to a user whose provider is being contacted.
  parts.provider.misbehaviour = { beforeToken: () => rig.ask(removeSignOn, { teamId }, admin) };
  expect((await signIn(rig, 'ada@docs.example', 1001)).message).toMatchObject(failed('sign-on-not-found'));
  await rig.ask(removeSignOn, { teamId }, admin);
  expect((await signIn(rig, 'ada@docs.example', 1001)).message).toMatchObject(failed('sign-on-not-found'));
});

test('a domain belongs to one team, also if two teams prove it at once', async () => {
  const parts = await openRig();
  const { rig, dns, person, found, settings } = parts;
  const teams = await Promise.all(
    ['eve', 'eva'].map(async (name) => {
      const admin = await person(`${name}@other.example`);
      const teamId = await found(admin);
      const { signOn } = await rig.ask(signOnEndpoints.setSignOn, { teamId, ...settings }, admin);
      return { admin, teamId, signOn };
    }),
  );
  dns.records.set(
    '_lectern.docs.example',
    teams.map(({ signOn }) => signOn.record.value),
  );
  const answers = await Promise.all(
    teams.map(({ admin, teamId }) =>
      rig.ask(signOnEndpoints.verifySignOnDomain, { teamId }, admin).then(
        () => 'proved',
        (error: Error) => (error.message.includes('domain-taken') ? 'taken' : error.message),
      ),
    ),
  );
  expect(answers.toSorted()).toEqual(['proved', 'taken']);
});

test('a proof whose record stays missing expires after a grace period, and the admins are notified', async () => {
  const parts = await openRig();
  const { rig, dns, db } = parts;
  const { admin, teamId, signOn } = await openTeam(parts);
  const { checkProofs } = rig.running.installation.features.signOn;
  const check = async (daysLater: number) => {
    const ctx = rig.running.installation.operatorContext();
    const now = () => ctx.clock.now() + daysLater * 86_400_000;
    await checkProofs({ ...ctx, clock: { ...ctx.clock, now } });
    await rig.running.installation.background.settled();
    return (await rig.ask(signOnEndpoints.getSignOn, { teamId }, admin)).signOn;
  };
  const mails = async () => {
    const { mails } = await rig.ask(outboxEndpoints.listOutbox, {});
    return mails.filter(({ to, subject }) => to === 'eve@other.example' && subject.includes('docs.example')).length;
  };
  const attempt = async () => (await signIn(rig, 'ada@docs.example', 1001)).message;
  const { name, value } = signOn.record;
  dns.records.set(name, ['something else']);
  expect(await check(0.9)).toMatchObject({ missingSince: null });
  // A failed lookup does not count as a missing record, however long it lasts.
  dns.isFailing = true;
  expect(await check(30)).toMatchObject({ missingSince: null, verifiedAt: expect.any(Number) });
  dns.isFailing = false;
  expect(await check(31)).toMatchObject({ missingSince: expect.any(Number), verifiedAt: expect.any(Number) });
  expect(await check(33)).toMatchObject({ missingSince: expect.any(Number), verifiedAt: expect.any(Number) });
  expect(await mails()).toBe(1);
  expect(await attempt()).toMatchObject({ type: 'signed-in' });
  expect(await rig.refusal(signOnEndpoints.verifySignOnDomain, { teamId }, admin)).toMatchObject({
    code: 'domain-not-proved',
  });
  dns.records.set(name, [value]);
  expect((await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId }, admin)).signOn.missingSince).toBeNull();

  dns.records.delete(name);
  await check(40);
  // The record returns without any action by the team.
  dns.records.set(name, [value]);
  expect(await check(42)).toMatchObject({ missingSince: null });
  dns.records.delete(name);
  await check(44);
  dns.isFailing = true;
  expect(await check(60)).toMatchObject({ verifiedAt: expect.any(Number) });
  dns.isFailing = false;
  expect(await check(61)).toMatchObject({ missingSince: expect.any(Number), verifiedAt: null });
  expect(await mails()).toBe(4);
  expect(await attempt()).toMatchObject(failed('sign-on-not-found'));
  const { entries } = await rig.ask(auditEndpoints.listAudit, { teamId }, admin);
  expect(entries).toContainEqual(expect.objectContaining({ action: 'sign-on.lapse', actor: null }));
  // Restoring the record and proving it again is enough.
  dns.records.set(name, [value]);
  await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId }, admin);
  expect(await attempt()).toMatchObject({ type: 'signed-in' });
  // A domain that the operator vouches for needs no record.
  await db.query.updateTable('teamSignOns').set({ isVouchedFor: 1, checkedAt: null }).execute();
  dns.records.delete(name);
  await check(80);
  expect(await check(90)).toMatchObject({ missingSince: null, verifiedAt: expect.any(Number) });
  // Only the operator can withdraw it, and only once.
  const domain = 'Docs.Example';
  expect((await rig.refusal(signOnEndpoints.withdrawDomain, { domain }, admin)).code).toBe('permission-denied');
  expect(await attempt()).toMatchObject({ type: 'signed-in' });
  expect(await rig.ask(signOnEndpoints.withdrawDomain, { domain })).toEqual({ wasVouchedFor: true });
  expect(await rig.ask(signOnEndpoints.withdrawDomain, { domain })).toEqual({ wasVouchedFor: false });
  expect(await attempt()).toMatchObject(failed('sign-on-not-found'));
  expect(await rig.refusal(signOnEndpoints.verifySignOnDomain, { teamId }, admin)).toMatchObject({
    code: 'domain-not-proved',
  });
});

test('a domain whose record now names another team moves to it at once, and the first team is notified', async () => {
  const parts = await openRig();
  const { rig, dns, person, found, settings } = parts;
  const first = await openTeam(parts);
  await signIn(rig, 'ada@docs.example', 1001);
  const buyer = await person('bo@buyer.example');
  const teamId = await found(buyer);
  const { signOn } = await rig.ask(signOnEndpoints.setSignOn, { teamId, ...settings }, buyer);
  const { name, value } = signOn.record;
  const verify = () => rig.refusal(signOnEndpoints.verifySignOnDomain, { teamId }, buyer);
  // While the first team's record exists, the domain is the first team's.
  dns.records.set(name, [value, first.signOn.record.value]);
  expect(await verify()).toMatchObject({ status: 409, code: 'domain-taken' });
  dns.records.set(name, ['neither']);
  expect(await verify()).toMatchObject({ status: 409, code: 'domain-not-proved' });
  dns.records.set(name, [value]);
  const begun = await begin(rig, 'ada@docs.example');
  await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId }, buyer);
  const { signOn: lost } = await rig.ask(signOnEndpoints.getSignOn, { teamId: first.teamId }, first.admin);
  expect(lost).toMatchObject({ verifiedAt: null, missingSince: expect.any(Number) });
  await rig.running.installation.background.settled();
  const { mails } = await rig.ask(outboxEndpoints.listOutbox, {});
  const mail = mails.find(({ subject }) => subject === 'Single sign-on for docs.example has ended');
  expect(mail).toMatchObject({ to: 'eve@other.example' });
  const { text } = (await rig.ask(outboxEndpoints.readOutboxMail, { mailId: mail?.id ?? '' })).mail;
  expect(text).toContain('Another team has proved that it owns the domain.');
  expect(text).toContain(`${rig.url}/team?tab=settings&teamId=${first.teamId}`);
  // A sign-in begun with the first team's provider fails, and its people now belong to the buyer.
  const { attempt, at } = await begunOf(begun);
  at.searchParams.set('person', '1001');
  const back = new URL((await fetch(at, { redirect: 'manual' })).headers.get('location') ?? '');
  const late = await outcomeOf(await rig.send(back.pathname + back.search, { headers: { cookie: attempt } }));
  expect(late.message).toMatchObject(failed('sign-on-not-found'));
  const ada = { cookie: (await signIn(rig, 'ada@docs.example', 1001)).cookie };
  const { memberships } = await rig.ask(teamEndpoints.listMemberships, {}, ada);
  expect(memberships.filter((one) => one.teamId === teamId)).toMatchObject([{ state: 'accepted' }]);
  // With another domain, the first team's provider cannot open the accounts that it opened before.
  const other = { ...settings, domain: 'evil.example' };
  const moved = await rig.ask(signOnEndpoints.setSignOn, { teamId: first.teamId, ...other }, first.admin);
  dns.records.set(moved.signOn.record.name, [moved.signOn.record.value]);
  await rig.ask(signOnEndpoints.verifySignOnDomain, { teamId: first.teamId }, first.admin);
  parts.provider.misbehaviour = { claims: { email: 'ada@evil.example' } };
  const taken = await signIn(rig, 'ada@evil.example', 1001);
  const { user } = await rig.ask(accountEndpoints.getSession, {}, { cookie: taken.cookie });
  expect(user?.email).toBe('ada@evil.example');
});

test('settings are checked before they are saved, and a secret is only sent to its provider', async () => {
  const parts = await openRig();
  const { rig, provider, settings } = parts;
  const { admin, teamId, signOn } = await openTeam(parts);
  const set = (change: Partial<typeof settings>) =>
    rig.refusal(signOnEndpoints.setSignOn, { teamId, ...settings, ...change }, admin);
  expect(await set({ domain: 'https://docs.example/' })).toMatchObject({ code: 'domain-invalid' });
  expect(await set({ domain: '127.0.0.1' })).toMatchObject({ code: 'domain-invalid' });
  // Domains that look like another one, and become it in ASCII.
  for (const unseen of ['\u00ad', '\u200b', '\u034f', '\ufe0f', '\u2060']) {
    expect(await set({ domain: `do${unseen}cs.example` })).toMatchObject({ code: 'domain-invalid' });
    const email = `ada@do${unseen}cs.example`;
    expect(await rig.refusal(signOnEndpoints.findSignOn, { email }, {})).toMatchObject({ code: 'invalid-email' });
  }
  expect(await set({ issuer: 'not an address' })).toMatchObject({ code: 'issuer-unusable' });
  expect(await set({ issuer: 'http://example.org' })).toMatchObject({ code: 'issuer-unusable' });
  expect(await set({ issuer: 'https://127.0.0.1:9' })).toMatchObject({ code: 'issuer-unusable' });
  const refused = await set({ issuer: 'https://127.0.0.1:9' });
  expect(refused.message).toContain('Ask the operator of this installation to allow it');
  expect(refused.message).not.toContain('LECTERN_ALLOW_HOSTS');
  for (const authorizationEndpoint of ['javascript:alert(1)', 'data:text/html,hello']) {
    provider.misbehaviour = { authorizationEndpoint };
    expect(await set({})).toMatchObject({ code: 'issuer-unusable' });
  }
  provider.misbehaviour = { issuer: 'https://somebody.example' };
  expect(await set({})).toMatchObject({ code: 'issuer-unusable' });
  provider.misbehaviour = {};
  const { clientSecret: _secret, ...withoutSecret } = settings;
  const kept = await rig.ask(signOnEndpoints.setSignOn, { teamId, ...withoutSecret, defaultRole: 'writer' }, admin);
  expect(kept.signOn).toMatchObject({ defaultRole: 'writer', verifiedAt: expect.any(Number), record: signOn.record });
  expect(await set({ clientId: 'another', clientSecret: '' })).toMatchObject({ code: 'client-secret-missing' });
  expect((await signIn(rig, 'ada@docs.example', 1001)).message).toMatchObject({ type: 'signed-in' });
  const other = await rig.ask(signOnEndpoints.setSignOn, { teamId, ...settings, clientId: 'another' }, admin);
  expect(other.signOn.verifiedAt).toBeNull();
  expect(other.signOn.record.value).not.toBe(signOn.record.value);
  expect(await rig.ask(signOnEndpoints.findSignOn, { email: 'ada@docs.example' }, {})).toEqual({ isAvailable: false });
  const moved = await rig.ask(signOnEndpoints.setSignOn, { teamId, ...settings, domain: 'docs2.example' }, admin);
  expect(moved.signOn.verifiedAt).toBeNull();
  expect(await rig.ask(signOnEndpoints.findSignOn, { email: 'ada@docs.example' }, {})).toEqual({ isAvailable: false });
});
