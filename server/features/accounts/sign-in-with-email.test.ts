import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { browserAt, openIdentitySample, refusal } from '#test/services/sample-identity.ts';
import type { Browser } from '../call.ts';
import { createPasswords } from './passwords.ts';
import { signInWithEmail } from './sign-in-with-email.ts';
import { signUpWithEmail } from './sign-up-with-email.ts';

const right = { email: 'anna@docs.example', password: 'correct horse' };
const wrong = { ...right, password: 'wrong horse' };

onEachDatabase('signing in with email', (kind) => {
  test('the password opens a session, however the address is spelled', async () => {
    const sample = await openIdentitySample(kind);
    const { userId } = await sample.join();
    const email = ' Anna@Docs.Example\n';
    const { user, sessionToken } = await signInWithEmail(sample.visitor, { ...right, email }, browserAt(), sample.deps);
    expect(user).toMatchObject({ id: userId, email: right.email, tier: 'Free' });
    expect((await sample.of(sessionToken)).actor).toMatchObject({ kind: 'user', userId });
  });

  test('an account has a limited number of sessions: the one used longest ago ends, never the new one', async () => {
    const sample = await openIdentitySample(kind);
    const { userId } = await sample.join();
    const later = Date.now() + 1e12;
    const rows = Array.from({ length: limits.webSessionsPerPersonMax }, (_, index) => ({
      ...{ id: `s${index}`, tokenHash: `h${index}`, userId, createdAt: 0, expiresAt: later },
      // Written while the clock was ahead.
      lastSeenAt: later - index,
    }));
    await sample.visitor.db.query.deleteFrom('webSessions').execute();
    await sample.visitor.db.query.insertInto('webSessions').values(rows).execute();
    const { sessionToken } = await signInWithEmail(sample.visitor, right, browserAt(), sample.deps);
    expect((await sample.of(sessionToken)).actor).toMatchObject({ kind: 'user', userId });
    const ids = (await sample.visitor.db.query.selectFrom('webSessions').select('id').execute()).map(({ id }) => id);
    expect(ids).toHaveLength(limits.webSessionsPerPersonMax);
    expect(ids).toContain('s0');
    expect(ids).not.toContain(`s${limits.webSessionsPerPersonMax - 1}`);
  });

  test('a domain spelled in ASCII is the same address', async () => {
    const sample = await openIdentitySample(kind);
    const { userId } = await sample.join('anna@bücher.example', right.password);
    const email = 'Anna@XN--bcher-kva.example';
    const { user } = await signInWithEmail(sample.visitor, { ...right, email }, browserAt(), sample.deps);
    expect(user).toMatchObject({ id: userId, email: 'anna@bücher.example' });
    const refused = { ...right, email: 'anna@xn--\u00fc.example' };
    expect(await refusal(signInWithEmail(sample.visitor, refused, browserAt(), sample.deps))).toBe('invalid-email');
  });

  test('an unknown address, a wrong password and an account without a password get the same refusal', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    await sample.visitor.db.query
      .insertInto('users')
      .values({ id: 'b', email: 'bert@docs.example', createdAt: 0 })
      .execute();
    for (const email of ['nobody@docs.example', right.email, 'bert@docs.example']) {
      const attempt = signInWithEmail(sample.visitor, { ...wrong, email }, browserAt(), sample.deps);
      await expect(attempt).rejects.toMatchObject({ code: 'invalid-credential', message: 'Invalid email or password' });
    }
  });

  test('a missing field or an invalid address is reported', async () => {
    const { visitor, deps } = await openIdentitySample(kind);
    for (const [input, code] of [
      [{ email: ' ', password: 'x' }, 'missing-email'],
      [{ ...right, password: '' }, 'missing-password'],
      ...['anna', 'anna@', '@docs.example', 'a b@docs.example', 'a@b', 'a@docs..example', 'a,b@docs.example'].map(
        (email) => [{ ...right, email }, 'invalid-email'] as const,
      ),
      [{ ...right, email: 'a\u0000@docs.example' }, 'invalid-email'],
      // The Kelvin sign and a full-width letter.
      ...['\u212aate@docs.example', 'kate@do\uff43s.example'].map(
        (email) => [{ ...right, email }, 'invalid-email'] as const,
      ),
      [{ ...right, email: `${'a'.repeat(65)}@docs.example` }, 'invalid-email'],
      [{ ...right, email: `a${'\u0301\u0323'.repeat(1_000_000)}@docs.example` }, 'invalid-email'],
    ] as const) {
      expect([input, await refusal(signInWithEmail(visitor, input, browserAt(), deps))]).toEqual([input, code]);
    }
  });

  test('the previous session of the browser ends, so that a planted session is worthless', async () => {
    const sample = await openIdentitySample(kind);
    const planted = await sample.join('eve@docs.example');
    await sample.join();
    const browser = browserAt('192.0.2.7', planted.sessionToken);
    const { sessionToken } = await signInWithEmail(sample.visitor, right, browser, sample.deps);
    expect(sessionToken).not.toBe(planted.sessionToken);
    expect((await sample.of(planted.sessionToken)).actor.kind).toBe('anonymous');
    expect((await sample.of(sessionToken)).actor.kind).toBe('user');
  });

  test('the eleventh attempt is refused for a quarter of an hour, even with the right password', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    const attempt = (input: typeof right, address?: string) =>
      signInWithEmail(sample.visitor, input, browserAt(address), sample.deps);
    for (let at = 0; at < 10; at += 1) expect(await refusal(attempt(wrong))).toBe('invalid-credential');
    const refused = await attempt(right).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'too-many-requests', retryAfterSeconds: 900 });
    await expect(attempt(right, '198.51.100.3')).resolves.toBeDefined();
    sample.visitor.clock.advance(899_000);
    expect(await refusal(attempt(right))).toBe('too-many-requests');
    sample.visitor.clock.advance(1_000);
    await expect(attempt(right)).resolves.toBeDefined();
  });

  test('other people’s attempts do not lock out a browser the user signed in with before; it has its own ten', async () => {
    const sample = await openIdentitySample(kind);
    const { userId } = await sample.join();
    const eve = await sample.join('eve@docs.example');
    const known: Browser = { ...browserAt('203.0.113.9'), deviceToken: sample.deps.devices.tokenFor(userId) };
    const attempt = (input: typeof right, browser = known) =>
      signInWithEmail(sample.visitor, input, browser, sample.deps);
    for (let at = 0; at < 51; at += 1) await refusal(attempt(wrong, browserAt(`198.51.100.${at}`)));
    for (const deviceToken of [undefined, sample.deps.devices.tokenFor(eve.userId), `${known.deviceToken}x`, 'x.y']) {
      expect(await refusal(attempt(right, { ...known, deviceToken }))).toBe('too-many-requests');
    }
    await expect(attempt(right)).resolves.toBeDefined();
    for (let at = 0; at < 10; at += 1) expect(await refusal(attempt(wrong))).toBe('invalid-credential');
    expect(await refusal(attempt(right))).toBe('too-many-requests');
  });

  test('further attempts after a refusal skip the database for a second', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    const attempt = () => refusal(signInWithEmail(sample.visitor, wrong, browserAt(), sample.deps));
    const counted = async () =>
      (
        await sample.visitor.db.query
          .selectFrom('rateCounts')
          .select('count')
          .where('bucket', 'like', 'sign-in%')
          .execute()
      ).map(({ count }) => count);
    for (let at = 0; at < 11; at += 1) await attempt();
    for (let at = 0; at < 40; at += 1) expect(await attempt()).toBe('too-many-requests');
    expect(await counted()).toEqual([11, 11, 11]);
    // As another process does after a password reset.
    await sample.visitor.db.query.deleteFrom('rateCounts').execute();
    expect(await attempt()).toBe('too-many-requests');
    sample.visitor.clock.advance(1_000);
    expect(await attempt()).toBe('invalid-credential');
  });

  test('of many concurrent wrong attempts at most ten are checked', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    const attempts = Array.from({ length: 20 }, () =>
      refusal(signInWithEmail(sample.visitor, wrong, browserAt(), sample.deps)),
    );
    const codes = await Promise.all(attempts);
    expect(codes.filter((code) => code === 'invalid-credential')).toHaveLength(10);
    expect(codes.filter((code) => code === 'too-many-requests')).toHaveLength(10);
  });

  test('a successful sign-in resets the failures of this browser, and a clock set back locks no one out', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    const attempt = (input: typeof right) => signInWithEmail(sample.visitor, input, browserAt(), sample.deps);
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 9; at += 1) expect(await refusal(attempt(wrong))).toBe('invalid-credential');
      await attempt(right);
    }
    for (let at = 0; at < 10; at += 1) await refusal(attempt(wrong));
    expect(await refusal(attempt(right))).toBe('too-many-requests');
    sample.visitor.clock.set(sample.visitor.clock.now() - 3_600_000);
    await expect(attempt(right)).resolves.toBeDefined();
  });

  test('a network address that tries many accounts is blocked, even if it varies the end of its IPv6 address', async () => {
    const { visitor, deps } = await openIdentitySample(kind);
    const codes: string[] = [];
    for (let at = 0; at < 52; at += 1) {
      const input = { ...wrong, email: `person${at}@docs.example` };
      codes.push(await refusal(signInWithEmail(visitor, input, browserAt(`2001:db8::${at.toString(16)}`), deps)));
    }
    expect(codes.slice(0, 50)).toEqual(Array(50).fill('invalid-credential'));
    expect(codes.slice(50)).toEqual(['too-many-requests', 'too-many-requests']);
    const counts = () => visitor.db.query.selectFrom('rateCounts').select('bucket').execute();
    // The last attempt was refused for its network alone and left no rows.
    expect(await counts()).toHaveLength(2 * 51 + 1);
    visitor.clock.advance(15 * 60_000);
    await refusal(signInWithEmail(visitor, wrong, browserAt(), deps));
    expect(await counts()).toHaveLength(3);
  });

  test('the tables of sessions and limits contain no password, email address or network address', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    await refusal(signInWithEmail(sample.visitor, wrong, browserAt(), sample.deps));
    const { query } = sample.visitor.db;
    const rows = JSON.stringify([
      await query.selectFrom('rateCounts').selectAll().execute(),
      await query.selectFrom('passwords').selectAll().execute(),
      await query.selectFrom('webSessions').selectAll().execute(),
      await query.selectFrom('auditLog').selectAll().execute(),
    ]);
    for (const secret of ['correct horse', 'wrong horse', 'anna@', '192.0.2.7']) expect(rows).not.toContain(secret);
  });

  test('a hash made with a lower cost is replaced at the next sign-in', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    const stored = () => sample.visitor.db.query.selectFrom('passwords').select('hash').executeTakeFirstOrThrow();
    const passwords = createPasswords({ n: 2 ** 5, blockSize: 8, passes: 1 });
    expect((await stored()).hash).toMatch(/^scrypt\$n=16,r=8,p=1\$/);
    await signInWithEmail(sample.visitor, right, browserAt(), { ...sample.deps, passwords });
    expect((await stored()).hash).toMatch(/^scrypt\$n=32,r=8,p=1\$/);
    await expect(signInWithEmail(sample.visitor, right, browserAt(), sample.deps)).resolves.toBeDefined();
  });
});

onEachDatabase('signing up with email', (kind) => {
  test('sign-up creates an account, signs it in and mails a link to the configured address', async () => {
    const sample = await openIdentitySample(kind);
    const input = { email: 'Anna@docs.example', password: 'pässwörter', displayName: ' Anna ' };
    const { user, sessionToken } = await signUpWithEmail(sample.visitor, input, browserAt(), sample.deps);
    expect(user).toMatchObject({
      email: 'anna@docs.example',
      displayName: 'Anna',
      emailVerifiedAt: null,
      isOperator: 0,
    });
    expect((await sample.of(sessionToken)).actor).toMatchObject({ userId: user.id });
    expect(sample.created).toEqual([user.id]);
    const [mail, ...more] = await sample.mailsTo('anna@docs.example');
    expect(more).toEqual([]);
    expect(mail?.text).toContain('https://docs.example/auth/action?mode=verifyEmail&oobCode=');
    expect(mail?.html).toContain(`https://docs.example/auth/action?mode=verifyEmail&amp;oobCode=${mail?.code}`);
    expect(mail?.code.length).toBeGreaterThanOrEqual(43);
  });

  test('an address can be used once; its owner gets one mail about a second sign-up', async () => {
    const sample = await openIdentitySample(kind);
    const { userId } = await sample.join();
    const again = () =>
      signUpWithEmail(sample.visitor, { email: 'ANNA@docs.example', password: 'another' }, browserAt(), sample.deps);
    expect(await refusal(again())).toBe('email-already-in-use');
    expect(await refusal(again())).toBe('email-already-in-use');
    const subjects = (await sample.mailsTo('anna@docs.example')).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(['Verify your email address for Sample', 'You already have a Sample account']);
    await expect(signInWithEmail(sample.visitor, right, browserAt(), sample.deps)).resolves.toMatchObject({
      user: { id: userId },
    });
  });

  test('one of several concurrent sign-ups with the same address gets the account', async () => {
    const sample = await openIdentitySample(kind);
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((at) =>
        signUpWithEmail(sample.visitor, { ...right, password: `password ${at}` }, browserAt(), sample.deps),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { query } = sample.visitor.db;
    expect(await query.selectFrom('users').selectAll().execute()).toHaveLength(1);
    expect(await query.selectFrom('webSessions').selectAll().execute()).toHaveLength(1);
  });

  test('an account whose initial credits could not be written is rolled back', async () => {
    const sample = await openIdentitySample(kind);
    const deps = {
      ...sample.deps,
      onAccountCreated: async () => {
        throw new Error('no credits');
      },
    };
    await expect(signUpWithEmail(sample.visitor, right, browserAt(), deps)).rejects.toThrow('no credits');
    expect(await sample.visitor.db.query.selectFrom('users').selectAll().execute()).toEqual([]);
    expect(await sample.mailsTo(right.email)).toEqual([]);
  });

  test('the first user of a local installation counts as verified, the second must verify', async () => {
    const { visitor, deps, mailsTo } = await openIdentitySample(kind);
    const signUp = (email: string, isForThisMachine: boolean) =>
      signUpWithEmail(visitor, { email, password: 'correct horse' }, browserAt(), { ...deps, isForThisMachine });
    const first = await signUp('first@docs.example', true);
    expect(first.user.emailVerifiedAt).toBe(visitor.clock.now());
    expect((await signUp('second@docs.example', true)).user.emailVerifiedAt).toBeNull();
    await deps.background.settled();
    expect(await mailsTo('first@docs.example')).toEqual([]);
    expect(await mailsTo('second@docs.example')).toHaveLength(1);

    const elsewhere = await openIdentitySample(kind);
    const { user } = await signUpWithEmail(
      elsewhere.visitor,
      { email: 'first@docs.example', password: 'correct horse' },
      browserAt(),
      { ...elsewhere.deps, isForThisMachine: false },
    );
    expect(user.emailVerifiedAt).toBeNull();
    await elsewhere.deps.background.settled();
  });

  test('short passwords and closed sign-up are refused, and one address can create thirty accounts an hour', async () => {
    const { visitor, deps } = await openIdentitySample(kind);
    const attempt = (password: string, email = right.email, isSignUpOpen = true) =>
      refusal(signUpWithEmail(visitor, { email, password }, browserAt(), { ...deps, isSignUpOpen }));
    expect(await attempt('')).toBe('missing-password');
    expect(await attempt('12345')).toBe('weak-password');
    expect(await attempt('🐎🐎🐎🐎🐎')).toBe('weak-password');
    expect(await attempt('correct horse', right.email, false)).toBe('operation-not-allowed');
    for (let at = 0; at < 30; at += 1) expect(await attempt('123456', `p${at}@docs.example`)).toBe('nothing refused');
    expect(await attempt('123456', 'p30@docs.example')).toBe('too-many-requests');
    await deps.background.settled();
  });
});
