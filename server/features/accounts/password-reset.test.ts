import { expect, test } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { browserAt, type IdentitySample, openIdentitySample, refusal } from '#test/services/sample-identity.ts';
import { changePassword } from './change-password.ts';
import { confirmReset, sendPasswordReset, verifyResetCode } from './password-reset.ts';
import { signInWithEmail } from './sign-in-with-email.ts';
import { applyVerificationCode, disownAddress, onEmailVerified, sendVerification } from './verify-email.ts';
import { endSession, endWebSession, issueIdentityToken, listSessions, personOfIdentityToken } from './web-session.ts';

const email = 'anna@docs.example';
const newPassword = 'staple battery';
const hourMs = 3_600_000;

async function resetCode(sample: IdentitySample, address?: string): Promise<string> {
  await sendPasswordReset(sample.visitor, { email }, browserAt(address), sample.deps);
  return (await sample.mailsTo(email)).at(-1)?.code ?? '';
}

onEachDatabase('resetting a password', (kind) => {
  test('a code reveals its address any number of times, sets the password once and ends every session', async () => {
    const sample = await openIdentitySample(kind);
    const { visitor, deps } = sample;
    const { sessionToken, userId } = await sample.join();
    const oobCode = await resetCode(sample);
    const known = { email, apiKeys: 0, connections: 0 };
    expect(await verifyResetCode(visitor, { oobCode }, browserAt(), deps)).toEqual(known);
    expect(await verifyResetCode(visitor, { oobCode }, browserAt(), deps)).toEqual(known);
    await confirmReset(visitor, { oobCode, newPassword }, browserAt(), deps);
    expect((await sample.of(sessionToken)).actor.kind).toBe('anonymous');
    expect(await refusal(verifyResetCode(visitor, { oobCode }, browserAt(), deps))).toBe('invalid-action-code');
    const again = confirmReset(visitor, { oobCode, newPassword: 'a third one' }, browserAt(), deps);
    await expect(again).rejects.toThrow('This password reset link is invalid or has expired.');
    expect(await refusal(signInWithEmail(visitor, { email, password: 'correct horse' }, browserAt(), deps))).toBe(
      'invalid-credential',
    );
    const { user } = await signInWithEmail(visitor, { email, password: newPassword }, browserAt(), deps);
    expect(user).toMatchObject({ id: userId, emailVerifiedAt: visitor.clock.now() });
  });

  test('one of two concurrent uses of a code sets the password', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    const oobCode = await resetCode(sample);
    const codes = await Promise.all(
      [1, 2, 3].map((at) =>
        refusal(confirmReset(sample.visitor, { oobCode, newPassword: `password ${at}` }, browserAt(), sample.deps)),
      ),
    );
    expect(codes.sort()).toEqual(['invalid-action-code', 'invalid-action-code', 'nothing refused']);
  });

  test('of mails requested at once only one has a valid code', async () => {
    const sample = await openIdentitySample(kind);
    const { visitor, deps } = sample;
    await sample.join();
    const before = (await sample.mailsTo(email)).length;
    await Promise.all([1, 2, 3, 4].map(() => sendPasswordReset(visitor, { email }, browserAt(), deps)));
    const sent = (await sample.mailsTo(email)).slice(before);
    expect(sent).toHaveLength(4);
    const checks = sent.map(({ code }) =>
      refusal(verifyResetCode(visitor, { oobCode: code ?? '' }, browserAt(), deps)),
    );
    expect((await Promise.all(checks)).filter((outcome) => outcome === 'nothing refused')).toHaveLength(1);
  });

  test('a code is void after an hour, a newer code or a password change, and for any other purpose', async () => {
    const sample = await openIdentitySample(kind);
    const { visitor, deps } = sample;
    const { ctx } = await sample.join();
    const verification = (await sample.mailsTo(email))[0]?.code ?? '';
    const first = await resetCode(sample);
    const second = await resetCode(sample);
    const state = (oobCode: string) => refusal(verifyResetCode(visitor, { oobCode }, browserAt(), deps));
    expect([await state(first), await state(verification), await state('forged'), await state(second)]).toEqual([
      'invalid-action-code',
      'invalid-action-code',
      'invalid-action-code',
      'nothing refused',
    ]);
    expect(await refusal(applyVerificationCode(visitor, { oobCode: second }, browserAt(), deps))).toBe(
      'verification-failed',
    );
    await changePassword(ctx, { currentPassword: 'correct horse', newPassword }, deps);
    expect(await state(second)).toBe('invalid-action-code');
    const third = await resetCode(sample);
    visitor.clock.advance(hourMs - 1);
    expect(await state(third)).toBe('nothing refused');
    visitor.clock.advance(1);
    expect(await state(third)).toBe('invalid-action-code');
  });

  test('a new password that is too short does not use up the code', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    const oobCode = await resetCode(sample);
    const attempt = (password: string) =>
      refusal(confirmReset(sample.visitor, { oobCode, newPassword: password }, browserAt(), sample.deps));
    expect([await attempt('12345'), await attempt('123456')]).toEqual(['weak-password', 'nothing refused']);
  });

  test('an unknown address gets the same response and no mail; a known one gets at most five mails an hour', async () => {
    const sample = await openIdentitySample(kind);
    const { visitor, deps } = sample;
    await sample.join();
    const ask = (to: string, at: number) =>
      refusal(sendPasswordReset(visitor, { email: to }, browserAt(`192.0.2.${at}`), deps));
    for (let at = 0; at < 200; at += 1) {
      const [known, unknown] = [await ask(email, at), await ask('nobody@docs.example', at)];
      expect([at, known]).toEqual([at, unknown]);
      expect(known).toBe(at < 5 ? 'nothing refused' : 'too-many-requests');
    }
    expect((await sample.mailsTo(email)).filter(({ subject }) => subject.startsWith('Reset'))).toHaveLength(5);
    expect(await sample.mailsTo('nobody@docs.example')).toEqual([]);
  });

  test('ten wrong codes block a network address; right codes do not count', async () => {
    const sample = await openIdentitySample(kind);
    await sample.join();
    const right = await resetCode(sample);
    const state = (oobCode: string, address?: string) =>
      refusal(verifyResetCode(sample.visitor, { oobCode }, browserAt(address), sample.deps));
    for (let at = 0; at < 20; at += 1) expect(await state(right)).toBe('nothing refused');
    for (let at = 0; at < 10; at += 1) expect(await state(`wrong${at}`)).toBe('invalid-action-code');
    expect(await state('wrong')).toBe('too-many-requests');
    expect(await state(right)).toBe('too-many-requests');
    expect(await state(right, '198.51.100.9')).toBe('nothing refused');
  });

  test('a user locked out by attempts of others can sign in after a reset', async () => {
    const sample = await openIdentitySample(kind);
    const { visitor, deps } = sample;
    await sample.join();
    for (let at = 0; at < 60; at += 1) {
      const stranger = browserAt(`198.51.100.${at}`);
      await refusal(signInWithEmail(visitor, { email, password: 'wrong horse' }, stranger, deps));
    }
    const signIn = (password: string) => refusal(signInWithEmail(visitor, { email, password }, browserAt(), deps));
    expect(await signIn('correct horse')).toBe('too-many-requests');
    await confirmReset(visitor, { oobCode: await resetCode(sample), newPassword }, browserAt(), deps);
    expect(await signIn(newPassword)).toBe('nothing refused');
  });
});

onEachDatabase('verifying an email address', (kind) => {
  test('the mailed code verifies the address once; further uses report that it was already verified', async () => {
    const sample = await openIdentitySample(kind);
    const { visitor, deps, told } = sample;
    const { userId, ctx } = await sample.join();
    const oobCode = (await sample.mailsTo(email))[0]?.code ?? '';
    told.length = 0;
    const apply = () => applyVerificationCode(ctx, { oobCode }, browserAt(), deps);
    const answers = await Promise.all([apply(), apply(), apply()]);
    expect(answers.filter(({ wasVerified }) => wasVerified)).toHaveLength(2);
    expect(told).toEqual([`user:${userId}`]);
    expect(await applyVerificationCode(visitor, { oobCode }, browserAt(), deps)).toEqual({ wasVerified: true });
    await sendVerification(ctx, browserAt(), deps);
    expect(await sample.mailsTo(email)).toHaveLength(1);
  });

  test('a code is void after a day, after a newer code, and after the address changed', async () => {
    const sample = await openIdentitySample(kind);
    const { visitor, deps } = sample;
    const { ctx, userId } = await sample.join();
    const apply = (oobCode = '') => refusal(applyVerificationCode(ctx, { oobCode }, browserAt(), deps));
    await sendVerification(ctx, browserAt(), deps);
    const [first, second] = await sample.mailsTo(email);
    expect(await apply(first?.code)).toBe('verification-failed');
    visitor.clock.advance(24 * hourMs);
    expect(await apply(second?.code)).toBe('verification-failed');
    await sendVerification(ctx, browserAt(), deps);
    const third = (await sample.mailsTo(email)).at(-1);
    const change = { email: 'other@docs.example' };
    await visitor.db.query.updateTable('users').set(change).where('id', '=', userId).execute();
    expect(await apply(third?.code)).toBe('verification-failed');
  });

  test('at most five verification mails are sent an hour, and none for a visitor', async () => {
    const sample = await openIdentitySample(kind);
    const { ctx } = await sample.join();
    const send = () => refusal(sendVerification(ctx, browserAt(), sample.deps));
    for (let at = 0; at < 4; at += 1) expect(await send()).toBe('nothing refused');
    expect(await send()).toBe('too-many-requests');
    expect(await sample.mailsTo(email)).toHaveLength(5);
    expect(await refusal(sendVerification(sample.visitor, browserAt(), sample.deps))).toBe('unauthenticated');
  });

  test('the actions after verification run once, and not before the address is verified', async () => {
    const sample = await openIdentitySample(kind);
    const { ctx } = await sample.join();
    let times = 0;
    const deps = { onVerified: async () => void (times += 1) };
    expect(await refusal(onEmailVerified(ctx, deps))).toBe('email-not-verified');
    const oobCode = (await sample.mailsTo(email))[0]?.code ?? '';
    await applyVerificationCode(ctx, { oobCode }, browserAt(), sample.deps);
    await Promise.all([onEmailVerified(ctx, deps), onEmailVerified(ctx, deps)]);
    expect(await onEmailVerified(ctx, deps)).toEqual({ isEmailVerified: true });
    expect(times).toBe(1);
    expect(await refusal(onEmailVerified(sample.visitor, deps))).toBe('unauthenticated');
  });
});

onEachDatabase('an address that someone else signed up with', (kind) => {
  const attackersPassword = 'attackers own';
  const setUp = async () => {
    const sample = await openIdentitySample(kind);
    const attacker = await sample.join(email, attackersPassword);
    const second = await signInWithEmail(
      sample.visitor,
      { email, password: attackersPassword },
      browserAt('198.51.100.9'),
      sample.deps,
    );
    const row = { provider: 'github', subject: '1', userId: attacker.userId, createdAt: 1 };
    await sample.visitor.db.query.insertInto('identities').values(row).execute();
    const oobCode = (await sample.mailsTo(email))[0]?.code ?? '';
    const apply = (newPassword?: string, ctx = sample.visitor) =>
      applyVerificationCode(ctx, { oobCode, newPassword }, browserAt(), sample.deps);
    const user = () =>
      sample.visitor.db.query.selectFrom('users').selectAll().where('id', '=', attacker.userId).executeTakeFirst();
    const isOpen = async (token: string) => (await sample.of(token)).actor.kind === 'user';
    return { sample, attacker, second, oobCode, apply, user, isOpen };
  };

  test('is not verified by the link alone, except in the browser that requested the mail', async () => {
    const { sample, second, apply, user, attacker } = await setUp();
    const stranger = await sample.join('bert@docs.example');
    for (const ctx of [sample.visitor, stranger.ctx, await sample.of(second.sessionToken)]) {
      expect(await refusal(apply(undefined, ctx))).toBe('verification-needs-password');
    }
    expect(await refusal(apply('short'))).toBe('weak-password');
    expect((await user())?.emailVerifiedAt).toBeNull();
    expect(sample.ended).toEqual([]);
    expect(await apply(undefined, attacker.ctx)).toEqual({ wasVerified: false });
  });

  test('is verified with a new password, which ends all other access to the account', async () => {
    const { sample, attacker, second, apply, user, isOpen } = await setUp();
    const outcomes = await Promise.all([1, 2].map((at) => apply(`owner's password ${at}`)));
    expect(outcomes.filter(({ session }) => session !== undefined)).toHaveLength(1);
    const winner = outcomes.findIndex(({ session }) => session !== undefined);
    const { sessionToken = '' } = outcomes[winner]?.session ?? {};
    expect((await sample.of(sessionToken)).actor).toMatchObject({ kind: 'user', userId: attacker.userId });
    expect((await user())?.emailVerifiedAt).toBe(sample.visitor.clock.now());
    expect([await isOpen(attacker.sessionToken), await isOpen(second.sessionToken)]).toEqual([false, false]);
    expect([sample.ended, sample.unlinked]).toEqual([[attacker.userId], [attacker.userId]]);
    expect(await sample.visitor.db.query.selectFrom('identities').selectAll().execute()).toEqual([]);
    const signIn = (password: string) =>
      refusal(signInWithEmail(sample.visitor, { email, password }, browserAt(), sample.deps));
    expect(await signIn(attackersPassword)).toBe('invalid-credential');
    expect(await signIn(`owner's password ${winner + 1}`)).toBe('nothing refused');
  });

  test('is verified by a reset, which always ends keys and other sign-ins too', async () => {
    const { sample, attacker } = await setUp();
    const input = { oobCode: await resetCode(sample), newPassword, keepsAgents: true };
    await confirmReset(sample.visitor, input, browserAt(), sample.deps);
    expect([sample.ended, sample.unlinked]).toEqual([[attacker.userId], [attacker.userId]]);
    expect(await sample.visitor.db.query.selectFrom('identities').selectAll().execute()).toEqual([]);
  });

  test('can be disowned by its owner with the mailed code, which deletes the account', async () => {
    const { sample, attacker, oobCode, user, isOpen } = await setUp();
    const deletion = {
      requireNoDependants: async () => undefined,
      leaving: async () => undefined,
      deleted: async () => undefined,
    };
    const disown = (code: string) =>
      refusal(disownAddress(sample.visitor, { oobCode: code }, browserAt(), { ...sample.deps, deletion }));
    expect(await disown('forged')).toBe('verification-failed');
    expect(await disown(oobCode)).toBe('nothing refused');
    expect([await user(), await isOpen(attacker.sessionToken)]).toEqual([undefined, false]);
    expect(await disown(oobCode)).toBe('verification-failed');
  });

  test('if disowned while others depend on the account, locks the account instead; if verified, is kept', async () => {
    const { sample, attacker, oobCode, user, isOpen } = await setUp();
    const requireNoDependants = () => Promise.reject(new AppError('last-admin-of-team', { values: { team: 'Docs' } }));
    const deletion = { requireNoDependants, leaving: async () => undefined, deleted: async () => undefined };
    await disownAddress(sample.visitor, { oobCode }, browserAt(), { ...sample.deps, deletion });
    expect([(await user())?.emailVerifiedAt, await isOpen(attacker.sessionToken)]).toEqual([null, false]);
    const password = attackersPassword;
    expect(await refusal(signInWithEmail(sample.visitor, { email, password }, browserAt(), sample.deps))).toBe(
      'invalid-credential',
    );
    const bert = await sample.join('bert@docs.example');
    const code = (await sample.mailsTo('bert@docs.example'))[0]?.code ?? '';
    await applyVerificationCode(bert.ctx, { oobCode: code }, browserAt(), sample.deps);
    const disown = disownAddress(sample.visitor, { oobCode: code }, browserAt(), { ...sample.deps, deletion });
    expect(await refusal(disown)).toBe('verification-failed');
    expect(await isOpen(bert.sessionToken)).toBe(true);
  });

  test('gets a mail that explains verification and has a link for people who did not sign up', async () => {
    const { sample } = await setUp();
    const [mail] = await sample.mailsTo(email);
    expect(mail?.text).toContain('I did not sign up:\nhttps://docs.example/auth/action?mode=verifyEmail&oobCode=');
    expect(mail?.text).toContain('&notMine=yes');
    expect(mail?.text).toContain('accept team invitations');
    expect(mail?.html).toContain('>I did not sign up</a>');
  });
});

onEachDatabase('sessions', (kind) => {
  const signIn = async (sample: IdentitySample, password = 'correct horse') => {
    const { sessionToken } = await signInWithEmail(sample.visitor, { email, password }, browserAt(), sample.deps);
    return { sessionToken, ctx: await sample.of(sessionToken) };
  };
  const isOpen = async (sample: IdentitySample, sessionToken: string) =>
    (await sample.of(sessionToken)).actor.kind === 'user';

  test('signing out ends one session, changing the password ends all others', async () => {
    const sample = await openIdentitySample(kind);
    const [first, second] = [await sample.join(), await signIn(sample)];
    const third = await signIn(sample);
    await endWebSession(third.ctx, third.sessionToken);
    const open = () => Promise.all([first, second, third].map(({ sessionToken }) => isOpen(sample, sessionToken)));
    expect(await open()).toEqual([true, true, false]);
    const change = { currentPassword: 'correct horse', newPassword };
    expect(await refusal(changePassword(second.ctx, { ...change, currentPassword: 'x' }, sample.deps))).toBe(
      'wrong-password',
    );
    expect(await refusal(changePassword(second.ctx, { ...change, newPassword: 'short' }, sample.deps))).toBe(
      'weak-password',
    );
    expect(await open()).toEqual([true, true, false]);
    await changePassword(second.ctx, change, sample.deps);
    expect(await open()).toEqual([false, true, false]);
    await expect(signIn(sample, newPassword)).resolves.toBeDefined();
  });

  test('one of two concurrent password changes succeeds', async () => {
    const sample = await openIdentitySample(kind);
    const { ctx } = await sample.join();
    const codes = await Promise.all(
      [1, 2].map((at) =>
        refusal(changePassword(ctx, { currentPassword: 'correct horse', newPassword: `password ${at}` }, sample.deps)),
      ),
    );
    expect(codes.sort()).toEqual(['nothing refused', 'wrong-password']);
  });

  test('a session does not allow more password guesses', async () => {
    const sample = await openIdentitySample(kind);
    const { ctx } = await sample.join();
    const change = (currentPassword: string) =>
      refusal(changePassword(ctx, { currentPassword, newPassword }, sample.deps));
    for (let at = 0; at < 10; at += 1) expect(await change(`guess ${at}`)).toBe('wrong-password');
    expect(await change('correct horse')).toBe('too-many-requests');
  });

  test("users can list and end their own sessions; another user's session looks nonexistent", async () => {
    const sample = await openIdentitySample(kind);
    const [first, stranger] = [await sample.join(), await sample.join('bert@docs.example')];
    sample.visitor.clock.advance(60_000);
    const second = await signIn(sample);
    const sessions = await listSessions(second.ctx);
    expect(sessions).toMatchObject([
      { isThisOne: true, userAgent: 'Sample browser' },
      { isThisOne: false, createdAt: sample.visitor.clock.now() - 60_000 },
    ]);
    const sessionId = sessions[1]?.id ?? '';
    const foreign = await endSession(stranger.ctx, { sessionId }).catch((error: unknown) => error);
    const missing = await endSession(stranger.ctx, { sessionId: 'x' }).catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: 'session-not-found', message: (missing as Error).message });
    expect(await isOpen(sample, first.sessionToken)).toBe(true);
    await endSession(second.ctx, { sessionId });
    expect(await refusal(endSession(second.ctx, { sessionId }))).toBe('session-not-found');
    expect(await isOpen(sample, first.sessionToken)).toBe(false);
    expect(await refusal(listSessions(sample.visitor))).toBe('unauthenticated');
  });

  test('an identity token acts for its session for an hour and ends with the session', async () => {
    const sample = await openIdentitySample(kind);
    const { ctx, sessionToken, userId } = await sample.join();
    const [one, two] = [await issueIdentityToken(ctx), await issueIdentityToken(ctx)];
    expect(one.token).toMatch(/^lid_[\w-]{43}$/);
    expect(await personOfIdentityToken(ctx, one.token)).toMatchObject({ kind: 'user', userId });
    sample.visitor.clock.advance(hourMs);
    expect(await refusal(personOfIdentityToken(ctx, one.token))).toBe('unauthenticated');
    sample.visitor.clock.set(one.expiresAt - 1);
    expect(await refusal(personOfIdentityToken(ctx, two.token))).toBe('nothing refused');
    await endWebSession(ctx, sessionToken);
    expect(await refusal(personOfIdentityToken(ctx, two.token))).toBe('unauthenticated');
    expect(await refusal(issueIdentityToken(ctx))).toBe('unauthenticated');
    expect(await refusal(issueIdentityToken(sample.as({ kind: 'operator', userId })))).toBe('unauthenticated');
  });
});
