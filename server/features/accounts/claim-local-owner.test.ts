import { expect, test } from 'vitest';
import { onEachDatabase } from '#test/services/database.ts';
import { browserAt, openIdentitySample, refusal } from '#test/services/sample-identity.ts';
import { sendPasswordReset } from './password-reset.ts';
import { claimLocalOwner, createSignInLink, redeemSignInLink } from './sign-in-link.ts';
import { signInWithEmail } from './sign-in-with-email.ts';
import { ensureLocalOwner } from './store.ts';
import { applyVerificationCode } from './verify-email.ts';

const email = 'owner@docs.example';
const password = 'correct horse';

onEachDatabase('claiming the local owner account', (kind) => {
  async function openSample() {
    const sample = await openIdentitySample(kind);
    const userId = await ensureLocalOwner(sample.visitor.db, sample.visitor.clock);
    const operator = sample.as({ kind: 'operator', userId });
    const { sessionToken } = await redeemSignInLink(sample.visitor, { code: await createSignInLink(operator) });
    return { ...sample, userId, operator, owner: await sample.of(sessionToken) };
  }

  test('the owner can then sign in with a password and still with a link', async () => {
    const { visitor, deps, owner, operator, userId } = await openSample();
    const user = await claimLocalOwner(owner, { email: ' Owner@docs.example', password }, deps);
    expect(user).toMatchObject({ id: userId, email, isOperator: 1, emailVerifiedAt: null });
    const signedIn = await signInWithEmail(visitor, { email, password }, browserAt(), deps);
    expect(signedIn.user.id).toBe(userId);
    const linked = await redeemSignInLink(visitor, { code: await createSignInLink(operator) });
    expect(linked.user.id).toBe(userId);
    await deps.background.settled();
  });

  test('no reset mail is sent to the address before it is verified', async () => {
    const { visitor, deps, owner, mailsTo } = await openSample();
    await claimLocalOwner(owner, { email, password }, deps);
    await sendPasswordReset(visitor, { email }, browserAt(), deps);
    const [verification, ...more] = await mailsTo(email);
    expect(more).toEqual([]);
    await applyVerificationCode(owner, { oobCode: verification?.code ?? '' }, browserAt(), deps);
    await sendPasswordReset(visitor, { email }, browserAt(), deps);
    expect((await mailsTo(email)).map(({ subject }) => subject)[1]).toMatch(/^Reset/);
  });

  test('only the owner can claim the account, once, with an address that no one else has', async () => {
    const sample = await openSample();
    const { deps, owner, visitor } = sample;
    const other = await sample.join('anna@docs.example');
    const attempt = (ctx: typeof visitor, input = { email, password }) => refusal(claimLocalOwner(ctx, input, deps));
    expect(await attempt(visitor)).toBe('unauthenticated');
    expect(await attempt(other.ctx)).toBe('permission-denied');
    expect(await attempt(owner, { email: 'anna@docs.example', password })).toBe('email-already-in-use');
    expect(await attempt(owner, { email, password: '12345' })).toBe('weak-password');
    expect(await attempt(owner, { email: 'owner', password })).toBe('invalid-email');
    const codes = await Promise.all([1, 2].map((at) => attempt(owner, { email: `o${at}@docs.example`, password })));
    expect(codes.sort()).toEqual(['nothing refused', 'permission-denied']);
    await deps.background.settled();
  });
});
