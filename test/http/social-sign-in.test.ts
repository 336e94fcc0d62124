import { expect, onTestFinished, test } from 'vitest';
import { accountDetailEndpoints } from '#contract/account-details.ts';
import { accountEndpoints } from '#contract/accounts.ts';
import { identityEndpoints, socialSignInPath } from '#contract/identity.ts';
import type { IdentityMessage } from '#contract/identity-channel.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { signOnStartPath } from '#contract/sign-on.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { type IdentityProvider, startIdentityProvider } from '../services/identity-provider.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig, rawRequest, refusalOf, type Sender } from './http-rig.ts';

type Provider = 'github' | 'google';
const providers: Provider[] = ['github', 'google'];

async function openRig(environment: Record<string, string> = {}) {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider.stop());
  return { provider, rig: await openHttpRig({ ...provider.environment, ...environment }) };
}

interface Answer {
  message: IdentityMessage;
  next: string;
  sessionCookie: string | undefined;
  headers: Headers;
}

async function readAnswer(response: Response): Promise<Answer> {
  expect(response.status).toBe(200);
  const html = await response.text();
  const outcome = /id="outcome">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const sessionCookie = cookies.find((cookie) => /^lectern_session=.+/.test(cookie));
  return { ...(JSON.parse(outcome) as Pick<Answer, 'message' | 'next'>), sessionCookie, headers: response.headers };
}

/** Starts a sign-in; returns the attempt's cookie and the provider's address. */
async function begin(rig: HttpRig, name: Provider, cont?: string) {
  const response = await rig.send(socialSignInPath(name, cont), { method: 'POST' });
  const { redirectTo } = (await response.json()) as { redirectTo: string };
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { cookie, at: new URL(redirectTo) };
}

/** Clicks as the user at the provider; returns the address that the browser is redirected to. */
async function choose(at: URL, person: number | ''): Promise<string> {
  const chosen = new URL(at);
  chosen.searchParams.set('person', String(person));
  const response = await fetch(chosen, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
}

const comeBack = async (rig: HttpRig, address: string, cookie: string): Promise<Answer> => {
  const { pathname, search } = new URL(address);
  return readAnswer(await rig.send(pathname + search, { headers: cookie === '' ? {} : { cookie } }));
};

async function signIn(rig: HttpRig, name: Provider, person: number | '', cont?: string): Promise<Answer> {
  const { cookie, at } = await begin(rig, name, cont);
  return comeBack(rig, await choose(at, person), cookie);
}

const failed = (code: string) => ({ type: 'sign-in-failed', code });
const userOf = async (rig: HttpRig, answer: Answer) =>
  (await rig.ask(accountEndpoints.getSession, {}, { cookie: answer.sessionCookie ?? '' })).user;
const countUsers = async (rig: HttpRig) =>
  (await rig.running.installation.base.db.query.selectFrom('users').selectAll().execute()).length;

test.each(providers)(
  '%s: the first sign-in creates an account with its address, and the next one finds it',
  async (name) => {
    const { rig } = await openRig();
    const first = await signIn(rig, name, 1001, '/keys?a=1');
    expect(first.message).toEqual({ type: 'signed-in', isNewAccount: true });
    expect(first.next).toBe('/login?cont=%2Fkeys%3Fa%3D1');
    const user = await userOf(rig, first);
    expect(user).toMatchObject({
      email: 'ada@docs.example',
      displayName: 'Ada Sample',
      isEmailVerified: name === 'google',
      hasPassword: false,
    });
    const second = await signIn(rig, name, 1001);
    expect(second.message).toEqual({ type: 'signed-in', isNewAccount: false });
    expect(await userOf(rig, second)).toEqual(user);
    expect(await countUsers(rig)).toBe(2);
    expect(await rig.ask(identityEndpoints.getSignInMethods, {}, {})).toMatchObject({ github: true, google: true });
  },
);

test('the request names only the configured address, with a new state, PKCE challenge and nonce each time', async () => {
  const { rig } = await openRig();
  for (const name of providers) {
    const [one, two] = [await begin(rig, name), await begin(rig, name)];
    expect(one.at.searchParams.get('redirect_uri')).toBe(`${rig.url}/api/identity/oauth/${name}/callback`);
    expect(one.at.searchParams.get('code_challenge_method')).toBe('S256');
    for (const parameter of ['state', 'code_challenge', ...(name === 'google' ? ['nonce'] : [])]) {
      const values = [one, two].map(({ at }) => at.searchParams.get(parameter) ?? '');
      expect(values[0]).not.toBe(values[1]);
      for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
    }
    expect(one.cookie.split('=')[0]).not.toBe(two.cookie.split('=')[0]);
  }
  const headers = { host: `localhost:${rig.port}`, 'x-forwarded-host': 'evil.example' };
  const foreign = await rawRequest(rig.port, { path: socialSignInPath('github'), headers, method: 'POST' });
  expect(foreign.text).toContain('This domain is not authorized for sign-in');
  for (const method of ['GET', 'POST'])
    expect((await rig.send('/api/identity/oauth/other/start', { method })).status).toBe(404);
});

test('a link starts no sign-in: its page asks first, and another site cannot confirm', async () => {
  const { rig } = await openRig();
  const named = async (email: string) =>
    (await rig.send(`${signOnStartPath}?email=${encodeURIComponent(email)}`)).text();
  expect(await named('ada@docs.example')).toContain('Sign in with the single sign-on of docs.example?');
  for (const email of ['ada@your bank', 'docs.example', 'ada@docs', '']) {
    expect(await named(email)).toContain('Sign in with your team&apos;s single sign-on?');
  }
  const foreign: Sender[] = [{ origin: 'https://evil.example' }, { origin: 'null' }, { cookie: 'a=b' }];
  for (const path of [socialSignInPath('github'), `${signOnStartPath}?email=ada@<b>docs.example`]) {
    const asking = await rig.send(path);
    expect(asking.status).toBe(200);
    expect(asking.headers.get('set-cookie')).toBeNull();
    expect(asking.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const text = await asking.text();
    expect(text).toContain('Continue only if you wanted to sign in.');
    expect(text).not.toContain('<b>');
    for (const headers of foreign) {
      const begun = await rig.send(path, { method: 'POST', headers });
      expect(begun.status).toBe(403);
      expect(begun.headers.get('set-cookie')).toBeNull();
    }
  }
});

test.each(providers)('%s: a signed-in user is not replaced by another person', async (name) => {
  const { rig, provider } = await openRig();
  const body = JSON.stringify({ email: 'eve@docs.example', password: 'correct horse' });
  const made = await rig.send(identityEndpoints.signUpWithEmail.path, { method: 'POST', body });
  const eve = (made.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const users = await countUsers(rig);
  const attempt = async () => {
    const { cookie, at } = await begin(rig, name);
    return comeBack(rig, await choose(at, 1001), `${cookie}; ${eve}`);
  };
  const service = name === 'github' ? 'GitHub' : 'Google';
  // An account that would be created, and an existing one.
  expect((await attempt()).message).toEqual({
    ...failed('service-email-differs'),
    message: `You are signed in as eve@docs.example. Use this email at ${service}. To sign in as ada@docs.example, sign out first.`,
  });
  expect(await countUsers(rig)).toBe(users);
  expect((await signIn(rig, name, 1001)).message).toMatchObject({ type: 'signed-in' });
  const answer = await attempt();
  expect(answer.message).toEqual({
    ...failed('service-of-another'),
    message: `This ${service} account is connected to another account here. Sign out first, or choose another.`,
  });
  expect(answer.sessionCookie).toBeUndefined();
  expect((await rig.ask(accountEndpoints.getSession, {}, { cookie: eve })).user?.email).toBe('eve@docs.example');
  // Signing in again as the same user works, and so does any sign-in after the session has ended.
  const [ada] = provider.people;
  const again = await signIn(rig, name, 1001);
  const { cookie, at } = await begin(rig, name);
  const once = await comeBack(rig, await choose(at, 1001), `${cookie}; ${again.sessionCookie}`);
  expect(await userOf(rig, once)).toMatchObject({ email: ada?.email });
  await rig.ask(accountEndpoints.signOut, {}, { cookie: eve, 'x-lectern-csrf': '1' });
  expect((await attempt()).message).toMatchObject({ type: 'signed-in' });
});

/** Returns a signed-in user with a verified address. */
async function person(rig: HttpRig, email: string): Promise<Sender> {
  const body = JSON.stringify({ email, password: 'correct horse' });
  const made = await rig.send(identityEndpoints.signUpWithEmail.path, { method: 'POST', body });
  const users = rig.running.installation.base.db.query.updateTable('users');
  await users.set({ emailVerifiedAt: 1 }).where('email', '=', email).execute();
  return { cookie: (made.headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'x-lectern-csrf': '1' };
}

test.each([
  ['github', {}, false],
  ['google', { organization: undefined }, false],
  ['google', { isEmailVerified: false }, false],
  ['google', {}, true],
  ['google', { organization: undefined, email: 'ada@gmail.com' }, true],
] as const)('%s with %j is trusted for the address: %s', async (name, change, answers) => {
  const { rig, provider } = await openRig();
  const [ada] = provider.people;
  if (ada !== undefined) Object.assign(ada, change);
  const email = ada?.email ?? '';
  // The address may have had another owner when the provider verified it.
  const owner = await person(rig, email);
  const uid = (await rig.ask(accountEndpoints.getSession, {}, owner)).user?.uid;
  const early = await signIn(rig, name, 1001);
  if (answers) {
    expect(await userOf(rig, early)).toMatchObject({ uid, hasPassword: true });
  } else {
    expect(early.message).toMatchObject({
      ...failed('account-exists-with-different-credential'),
      message: `An account already exists with this email. Sign in to it first, or choose a password with the link you got. Then connect ${name === 'github' ? 'GitHub' : 'Google'} under Account.`,
    });
    expect(early.sessionCookie).toBeUndefined();
    // The signed-in user connects it.
    const { cookie, at } = await begin(rig, name);
    const connected = await comeBack(rig, await choose(at, 1001), `${cookie}; ${owner['cookie']}`);
    expect(connected.message).toEqual({ type: 'signed-in', isNewAccount: false });
    expect(await userOf(rig, await signIn(rig, name, 1001))).toMatchObject({ uid, hasPassword: true });
  }
  // The identity is the provider's id: a new address there changes nothing here.
  if (ada !== undefined) Object.assign(ada, { email: 'renamed@docs.example', isEmailVerified: false });
  expect(await userOf(rig, await signIn(rig, name, 1001))).toMatchObject({ uid, email });
});

test('an address verified by GitHub opens no invites, and its owner can take over the account', async () => {
  const { rig } = await openRig();
  const admin = await person(rig, 'boss@docs.example');
  const { teamId } = await rig.ask(teamAdministration.createTeam, { teamName: 'Docs' }, admin);
  await rig.ask(teamAdministration.inviteMembers, { teamId, teamMembers: ['ada@docs.example'] }, admin);
  const former = { cookie: (await signIn(rig, 'github', 1001)).sessionCookie ?? '', 'x-lectern-csrf': '1' };
  expect((await rig.ask(teamEndpoints.listMemberships, {}, former)).memberships).toEqual([]);
  const accepted = rig.ask(teamAdministration.respondToInvite, { teamId, response: 'accept' }, former);
  await expect(accepted).rejects.toThrow('email-not-verified');
  const owner = { cookie: (await signIn(rig, 'google', 1001)).sessionCookie ?? '' };
  expect((await rig.ask(teamEndpoints.listMemberships, {}, owner)).memberships).toHaveLength(1);
  expect((await rig.ask(accountEndpoints.getSession, {}, former)).user).toBeNull();
  expect((await signIn(rig, 'github', 1001)).message).toMatchObject(failed('account-exists-with-different-credential'));
});

test('google: takes over an account whose creator never verified the address', async () => {
  const { rig, provider } = await openRig();
  const account = { email: 'ada@docs.example', password: 'attackers own' };
  const body = JSON.stringify(account);
  const made = await rig.send(identityEndpoints.signUpWithEmail.path, { method: 'POST', body });
  const attacker = { cookie: (made.headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'x-lectern-csrf': '1' };
  expect((await rig.ask(accountEndpoints.getSession, {}, attacker)).user).not.toBeNull();
  const [ada] = provider.people;
  if (ada !== undefined) ada.isEmailVerified = false;
  expect((await signIn(rig, 'google', 1001)).message).toMatchObject(failed('account-exists-with-different-credential'));
  expect((await rig.ask(accountEndpoints.getSession, {}, attacker)).user).not.toBeNull();
  if (ada !== undefined) ada.isEmailVerified = true;
  const owner = await userOf(rig, await signIn(rig, 'google', 1001));
  expect(owner).toMatchObject({ email: account.email, isEmailVerified: true, hasPassword: false });
  expect((await rig.ask(accountEndpoints.getSession, {}, attacker)).user).toBeNull();
  expect(await rig.refusal(identityEndpoints.signInWithEmail, account, {})).toMatchObject({ status: 401 });
});

test('google: verifies the account of the person who connects it, and keeps their other sign-in methods', async () => {
  const { rig } = await openRig();
  const made = await signIn(rig, 'github', 1001);
  const uid = (await userOf(rig, made))?.uid;
  const elsewhere = await signIn(rig, 'github', 1001);
  const { cookie, at } = await begin(rig, 'google');
  const connected = await comeBack(rig, await choose(at, 1001), `${cookie}; ${made.sessionCookie}`);
  expect(connected.message).toEqual({ type: 'signed-in', isNewAccount: false });
  expect(await userOf(rig, connected)).toMatchObject({ uid, isEmailVerified: true });
  for (const name of providers) {
    expect(await userOf(rig, await signIn(rig, name, 1001))).toMatchObject({ uid, isEmailVerified: true });
  }
  // Another open session of the account may belong to someone else.
  expect(await userOf(rig, elsewhere)).toBeNull();
});

test('google: an operator who adds an address and then connects Google keeps their keys', async () => {
  const { rig } = await openRig();
  const key = await rig.createKey();
  const operator = await rig.signIn();
  const email = 'ada@docs.example';
  await rig.ask(identityEndpoints.claimLocalOwner, { email, password: 'a long password of mine' }, operator);
  const { cookie, at } = await begin(rig, 'google');
  const connected = await comeBack(rig, await choose(at, 1001), `${cookie}; ${operator['cookie']}`);
  expect(await userOf(rig, connected)).toMatchObject({ email, isEmailVerified: true });
  expect(await rig.ask(libraryEndpoints.listModules, {}, key.sender)).toMatchObject({ modules: [] });
});

test('signing in again in the same browser keeps the verification mail valid', async () => {
  const { rig } = await openRig();
  const made = await signIn(rig, 'github', 1002);
  const { cookie, at } = await begin(rig, 'github');
  const again = await comeBack(rig, await choose(at, 1002), `${cookie}; ${made.sessionCookie}`);
  const other = { cookie: (await signIn(rig, 'github', 1002)).sessionCookie ?? '', 'x-lectern-csrf': '1' };
  await expect(verify(rig, 'ben@docs.example', other)).rejects.toThrow('verification-needs-password');
  await verify(rig, 'ben@docs.example', { cookie: again.sessionCookie ?? '', 'x-lectern-csrf': '1' });
  expect(await userOf(rig, await signIn(rig, 'github', 1002))).toMatchObject({ isEmailVerified: true });
});

async function verify(rig: HttpRig, to: string, sender: Sender): Promise<void> {
  const newest = async () => (await rig.ask(outboxEndpoints.listOutbox, {})).mails.find((mail) => mail.to === to);
  const { id } = await until('the mail is there', newest);
  const { mail } = await rig.ask(outboxEndpoints.readOutboxMail, { mailId: id });
  const oobCode = /oobCode=([\w-]+)/.exec(mail.text)?.[1] ?? '';
  await rig.ask(identityEndpoints.applyVerificationCode, { oobCode }, sender);
}

test.each(providers)('%s: an address that the provider has not verified must be verified here', async (name) => {
  const { rig } = await openRig();
  const answer = await signIn(rig, name, 1002);
  expect(answer.message).toEqual({ type: 'signed-in', isNewAccount: true });
  expect(await userOf(rig, answer)).toMatchObject({ email: 'ben@docs.example', isEmailVerified: false });
  await verify(rig, 'ben@docs.example', { cookie: answer.sessionCookie ?? '', 'x-lectern-csrf': '1' });
  expect(await userOf(rig, answer)).toMatchObject({ isEmailVerified: true });
});

test.each(providers)(
  '%s: a callback that is forged, repeated, or started in another browser is refused',
  async (name) => {
    const { rig } = await openRig();
    const [mine, other, elsewhere] = [await begin(rig, name), await begin(rig, name), await begin(rig, name)];
    const back = await choose(mine.at, 1001);
    const swapped = back.replace(/state=[\w-]+/, `state=${other.at.searchParams.get('state')}`);
    const cut = `${mine.cookie.slice(0, -1)}${mine.cookie.endsWith('A') ? 'B' : 'A'}`;
    const wrongProvider = back.replace(`/${name}/`, `/${name === 'github' ? 'google' : 'github'}/`);
    for (const [address, cookie] of [
      [back, ''],
      [back, other.cookie],
      [back, cut],
      [swapped, `${mine.cookie}; ${other.cookie}`],
      [back.replace(/code=\w+/, 'code=forged'), other.cookie],
      [(await choose(elsewhere.at, 1001)).replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fother.example'), elsewhere.cookie],
      [wrongProvider, mine.cookie],
    ] as const) {
      const answer = await comeBack(rig, address, cookie);
      expect(answer.message).toMatchObject(failed('sign-in-failed'));
      expect(answer.sessionCookie).toBeUndefined();
    }
    expect(await countUsers(rig)).toBe(1);
    const fresh = await begin(rig, name);
    const address = await choose(fresh.at, 1001);
    const answers = await Promise.all([1, 2].map(() => comeBack(rig, address, fresh.cookie)));
    expect(answers.filter(({ message }) => message.type === 'signed-in')).toHaveLength(1);
    expect((await comeBack(rig, address, fresh.cookie)).message).toMatchObject(failed('sign-in-failed'));
  },
);

test.each(providers)('%s: a state is valid once, whatever the result', async (name) => {
  const { rig } = await openRig();
  const { cookie, at } = await begin(rig, name);
  const address = await choose(at, 1001);
  const forged = await comeBack(rig, address.replace(/code=\w+/, 'code=forged'), cookie);
  expect(forged.message).toMatchObject(failed('sign-in-failed'));
  expect((await comeBack(rig, address, cookie)).message).toMatchObject(failed('sign-in-failed'));
});

test.each(providers)('%s: a known account needs no email address at the provider, a new one does', async (name) => {
  const { rig, provider } = await openRig();
  const first = await userOf(rig, await signIn(rig, name, 1001));
  for (const email of [undefined, 'noreply']) {
    provider.misbehaviour = { claims: { email }, emails: email ? [{ email, primary: true, verified: true }] : [] };
    expect(await userOf(rig, await signIn(rig, name, 1001))).toEqual(first);
    expect((await signIn(rig, name, 1002)).message).toMatchObject(failed('service-email-missing'));
  }
  expect(await countUsers(rig)).toBe(2);
});

test('a long destination is dropped rather than the cookie that the sign-in needs', async () => {
  const { rig } = await openRig();
  for (const cont of [
    `/authorize?state=${'a'.repeat(3_000)}`,
    `/keys?a=${'"'.repeat(2_000)}`,
    `/${'é'.repeat(1_500)}`,
  ]) {
    const { cookie, at } = await begin(rig, 'github', cont);
    expect(Buffer.byteLength(cookie)).toBeLessThan(4_096);
    expect((await comeBack(rig, await choose(at, 1001), cookie)).next).toBe('/login?cont=%2Fdashboard');
  }
});

test('two simultaneous first sign-ins create one account', async () => {
  const { rig } = await openRig();
  const popups = await Promise.all([1, 2, 3].map(() => begin(rig, 'github')));
  const answers = await Promise.all(
    popups.map(async ({ at, cookie }) => comeBack(rig, await choose(at, 1001), cookie)),
  );
  expect(answers.map(({ message }) => message.type)).toEqual(['signed-in', 'signed-in', 'signed-in']);
  expect(answers.filter(({ message }) => 'isNewAccount' in message && message.isNewAccount)).toHaveLength(1);
  expect(await countUsers(rig)).toBe(2);
});

test.each(providers)('%s: a refusal at the provider or a failing provider creates no account', async (name) => {
  const { rig, provider } = await openRig();
  const cancelled = await signIn(rig, name, '');
  expect(cancelled.message).toEqual({ ...failed('popup-closed-by-user'), message: 'Sign-in was cancelled' });
  provider.misbehaviour.isBroken = true;
  expect((await signIn(rig, name, 1001)).message).toMatchObject(failed('sign-in-failed'));
  await provider.stop();
  const { cookie, at } = await begin(rig, name);
  const back = `${rig.url}/api/identity/oauth/${name}/callback?code=x&state=${at.searchParams.get('state')}`;
  expect((await comeBack(rig, back, cookie)).message).toMatchObject(failed('network-request-failed'));
  expect(await countUsers(rig)).toBe(1);
});

test.each(providers)('%s: an account on another server of the same kind is a different account', async (name) => {
  const { rig } = await openRig();
  const first = await userOf(rig, await signIn(rig, name, 1001));
  const other = await startIdentityProvider();
  onTestFinished(() => other.stop());
  const [stranger] = other.people;
  if (stranger !== undefined) stranger.email = 'mallory@docs.example';
  await rig.running.close();
  const moved = await openHttpRig({ ...other.environment, LECTERN_DATA: rig.dataFolder });
  const user = await userOf(moved, await signIn(moved, name, 1001));
  expect(user).toMatchObject({ email: 'mallory@docs.example' });
  expect(user?.uid).not.toBe(first?.uid);
  // An invalid connection is not shown as connected.
  const { query } = moved.running.installation.base.db;
  const connected = async (answer: Answer) =>
    (await moved.ask(accountDetailEndpoints.getAccountDetails, {}, { cookie: answer.sessionCookie ?? '' })).providers;
  const again = await signIn(moved, name, 1001);
  expect(await connected(again)).toMatchObject([{ provider: name }]);
  await query
    .deleteFrom('identities')
    .where('userId', '=', user?.uid ?? '')
    .execute();
  await query
    .updateTable('identities')
    .set({ userId: user?.uid ?? '' })
    .execute();
  expect(await connected(again)).toEqual([]);
});

test.each<[string, IdentityProvider['misbehaviour']]>([
  ['for another nonce', { claims: { nonce: 'another' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['for another client', { claims: { aud: 'somebody-else' } }],
  ['of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['that is over', { claims: { exp: 1 } }],
  ['of an account without an id', { claims: { sub: '' } }],
  ['of an account whose id is stored as another', { claims: { sub: 'a\ud800b' } }],
  ['of an account whose id no database takes', { claims: { sub: 'a\0b' } }],
  ['signed with another key', { signature: 'other-key' }],
  ['that is not signed', { signature: 'none' }],
  ['signed with the public key as a secret', { signature: 'public-key' }],
  ['for several clients, made for another', { claims: { aud: ['lectern-on-loopback', 'other'], azp: 'other' } }],
])('an ID token %s is refused', async (_, misbehaviour) => {
  const { rig, provider } = await openRig();
  Object.assign(provider.misbehaviour, misbehaviour);
  expect((await signIn(rig, 'google', 1001)).message).toMatchObject(failed('sign-in-failed'));
  expect(await countUsers(rig)).toBe(1);
});

test('a picture from an allowed host is stored, and any other does not prevent the sign-in', async () => {
  const { provider, rig } = await openRig();
  const pictures = [
    'javascript:alert(1)',
    'http://127.0.0.1/a.png',
    'not an address',
    `https://docs.example/${'a'.repeat(2_000)}`,
  ];
  for (const [at, picture] of [...pictures, 'https://docs.example/ada.png'].entries()) {
    provider.misbehaviour = { claims: { sub: `person-${at}`, email: `person-${at}@docs.example`, picture } };
    const answer = await signIn(rig, 'google', 1001);
    expect(await userOf(rig, answer)).toMatchObject({ photoURL: picture.endsWith('ada.png') ? picture : null });
  }
});

test('a missing configuration is reported', async () => {
  const rig = await openHttpRig();
  const ask = async (name: Provider) => refusalOf(await rig.send(socialSignInPath(name), { method: 'POST' }));
  expect(await ask('github')).toMatchObject({
    code: 'github-not-configured',
    message: 'GitHub authentication is not configured',
  });
  expect(await ask('google')).toMatchObject({
    code: 'operation-not-allowed',
    message: 'This sign-in method is not enabled',
  });
  expect(await rig.ask(identityEndpoints.getSignInMethods, {}, {})).toMatchObject({ github: false, google: false });
});

test('with sign-up closed, only people with an account get in', async () => {
  const { rig } = await openRig({ LECTERN_SIGN_UP: 'closed' });
  const { message } = await signIn(rig, 'github', 1001);
  expect(message).toMatchObject(failed('sign-up-closed'));
  expect(JSON.stringify(message)).toContain('Ask the operator for an account for ada@docs.example');
  const refusal = await rig.refusal(
    identityEndpoints.signUpWithEmail,
    { email: 'a@docs.example', password: '123456' },
    {},
  );
  expect(refusal).toMatchObject({ status: 403, code: 'operation-not-allowed' });
  expect(await rig.ask(identityEndpoints.getSignInMethods, {}, {})).toMatchObject({ signUp: false });
});

test('with sign-up closed, a person added by the operator connects GitHub after choosing a password', async () => {
  const { rig } = await openRig({ LECTERN_SIGN_UP: 'closed' });
  const email = 'ada@docs.example';
  const { link, person: added } = await rig.ask(operatorEndpoints.createPerson, { email });
  const refused = (await signIn(rig, 'github', 1001)).message;
  expect(refused).toMatchObject(failed('account-exists-with-different-credential'));
  expect(JSON.stringify(refused)).toContain(
    'choose a password with the link you got. Then connect GitHub under Account.',
  );
  const oobCode = new URL(link?.url ?? '').searchParams.get('oobCode') ?? '';
  const account = { email, password: 'correct horse' };
  await rig.ask(identityEndpoints.confirmReset, { oobCode, newPassword: account.password }, {});
  const body = JSON.stringify(account);
  const made = await rig.send(identityEndpoints.signInWithEmail.path, { method: 'POST', body });
  const { cookie, at } = await begin(rig, 'github');
  const session = (made.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  await comeBack(rig, await choose(at, 1001), `${cookie}; ${session}`);
  expect(await userOf(rig, await signIn(rig, 'github', 1001))).toMatchObject({ uid: added.userId });
});

test('a failure leaves the user on a page with the error and a link to their destination', async () => {
  const { rig } = await openRig({ LECTERN_SIGN_UP: 'closed' });
  expect((await signIn(rig, 'github', 1001, '/keys?a=1')).next).toBe('/login?cont=%2Fkeys%3Fa%3D1');
});

test('the page that closes a popup runs only its own script, and escapes its text', async () => {
  const { rig } = await openRig();
  const cont = '/x</script><script>alert(1)</script>"\u2028';
  const answer = await signIn(rig, 'google', 1001, cont);
  expect(answer.next).toBe(`/login?cont=${encodeURIComponent(cont)}`);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/=]+';/);
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('starting a sign-in changes nothing in the database', async () => {
  const { rig } = await openRig();
  const { query } = rig.running.installation.base.db;
  const rows = () =>
    Promise.all([
      query.selectFrom('rateCounts').selectAll().execute(),
      query.selectFrom('auditLog').selectAll().execute(),
    ]);
  const before = await rows();
  await begin(rig, 'github');
  expect(await rows()).toEqual(before);
});
