import { expect, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { connectionEndpoints } from '#contract/connections.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { siteEndpoints } from '#contract/site.ts';
import { startMailServer } from '../services/mail-server.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig, type Sender } from './http-rig.ts';

const email = 'anna@docs.example';
const password = 'correct horse';

async function opened(rig: HttpRig, path: string, input: Record<string, unknown>): Promise<Sender> {
  const response = await rig.send(path, { method: 'POST', body: JSON.stringify(input) });
  expect(response.status).toBe(200);
  return { cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'x-lectern-csrf': '1' };
}

test('every account endpoint responds by its schema, in the order of use', async () => {
  const rig = await openHttpRig();
  const asked = new Set<Endpoint>([identityEndpoints.signUpWithEmail]);
  const ask: HttpRig['ask'] = (endpoint, input, sender) => {
    asked.add(endpoint);
    return rig.ask(endpoint, input, sender);
  };
  const codeOf = async (subject: RegExp) => {
    const found = await until('the mail is there', async () =>
      (await ask(outboxEndpoints.listOutbox, {})).mails.find((mail) => subject.test(mail.subject)),
    );
    const { mail } = await ask(outboxEndpoints.readOutboxMail, { mailId: found.id });
    expect(mail).toMatchObject({ to: email, html: expect.stringContaining('<html') });
    return /oobCode=([\w-]+)/.exec(mail.text)?.[1] ?? '';
  };
  expect(await ask(identityEndpoints.getSignInMethods, {}, {})).toEqual({
    ...{ emailPassword: true, signUp: true, github: false, google: false, asksVerification: true },
  });
  const session = await opened(rig, identityEndpoints.signUpWithEmail.path, { email, password });
  await ask(identityEndpoints.sendVerification, {}, session);
  await until('both mails are there', async () => (await ask(outboxEndpoints.listOutbox, {})).mails.length === 2);
  const verification = await codeOf(/^Verify/);
  expect(await ask(identityEndpoints.applyVerificationCode, { oobCode: verification }, session)).toEqual({
    wasVerified: false,
  });
  expect(await ask(identityEndpoints.applyVerificationCode, { oobCode: verification }, {})).toEqual({
    wasVerified: true,
  });
  const { user } = await ask(identityEndpoints.updateProfile, { displayName: ' Anna ' }, session);
  expect(user).toMatchObject({ email, displayName: 'Anna', isEmailVerified: true, hasPassword: true, tier: 'Free' });
  expect((await ask(accountEndpoints.getSession, {}, session)).user).toEqual(user);
  const newPassword = 'staple battery';
  await ask(identityEndpoints.changePassword, { currentPassword: password, newPassword }, session);
  expect(await ask(identityEndpoints.signInWithEmail, { email, password: newPassword }, {})).toEqual({ user });
  const { sessions } = await ask(identityEndpoints.listSessions, {}, session);
  expect(sessions).toHaveLength(2);
  expect(sessions.filter(({ isThisOne }) => isThisOne)).toHaveLength(1);
  const other = sessions.find(({ isThisOne }) => !isThisOne);
  await ask(identityEndpoints.endSession, { sessionId: other?.id ?? '' }, session);
  const { token } = await ask(identityEndpoints.issueIdentityToken, {}, session);
  const bearer = { authorization: `Bearer ${token}` };
  expect((await ask(accountEndpoints.getSession, {}, bearer)).user).toEqual(user);
  // Otherwise tokens could be renewed forever.
  expect(await rig.refusal(identityEndpoints.issueIdentityToken, {}, bearer)).toMatchObject({
    code: 'permission-denied',
  });
  const consent = { request: 'x', isAllowed: true, workspaceId: 'individual' };
  expect(await rig.refusal(connectionEndpoints.answerConsent, consent, bearer)).toMatchObject({
    code: 'permission-denied',
  });
  await ask(identityEndpoints.sendPasswordReset, { email }, {});
  const oobCode = await codeOf(/^Reset/);
  expect(await ask(identityEndpoints.verifyResetCode, { oobCode }, {})).toEqual({
    ...{ email, apiKeys: 0, connections: 0 },
  });
  await ask(identityEndpoints.confirmReset, { oobCode, newPassword: password }, {});
  expect((await ask(accountEndpoints.getSession, {}, session)).user).toBeNull();
  const stranger = { email: 'bert@docs.example', password };
  await opened(rig, identityEndpoints.signUpWithEmail.path, stranger);
  const disowned = await until('the mail to Bert is there', async () =>
    (await ask(outboxEndpoints.listOutbox, {})).mails.find(({ to }) => to === stranger.email),
  );
  const { mail } = await ask(outboxEndpoints.readOutboxMail, { mailId: disowned.id });
  const code = /oobCode=([\w-]+)/.exec(mail.text)?.[1] ?? '';
  await ask(identityEndpoints.disownAddress, { oobCode: code }, {});
  expect(await rig.refusal(identityEndpoints.signInWithEmail, stranger, {})).toMatchObject({ status: 401 });
  const claim = { email: 'owner@docs.example', password };
  expect(await ask(identityEndpoints.claimLocalOwner, claim)).toMatchObject({ user: { isOperator: true } });
  const endpoints: Endpoint[] = [identityEndpoints, outboxEndpoints].flatMap((group) => Object.values(group));
  expect(endpoints.filter((endpoint) => !asked.has(endpoint)).map(({ path }) => path)).toEqual([]);
});

test('mails go through the configured mail server, and then there is no outbox', async () => {
  const server = await startMailServer();
  const rig = await openHttpRig({ SMTP_URL: server.url, MAIL_FROM: 'Docs <docs@docs.example>' });
  await opened(rig, identityEndpoints.signUpWithEmail.path, { email, password });
  await until('the mail has arrived', () => server.received.length === 1);
  const [mail] = server.received;
  expect(mail).toMatchObject({ envelopeFrom: 'docs@docs.example', envelopeTo: [email] });
  expect(mail?.email.text).toContain(`${rig.url}/auth/action?mode=verifyEmail&oobCode=`);
  expect(await rig.ask(outboxEndpoints.listOutbox, {})).toEqual({ mails: [] });
  expect(await rig.ask(siteEndpoints.getSite, {}, rig.visitor)).toMatchObject({ mailIsOutbox: false });
  await server.stop();
});

test('only the operator reads the outbox, on the command line and in the browser', async () => {
  const rig = await openHttpRig();
  const person = await opened(rig, identityEndpoints.signUpWithEmail.path, { email, password });
  const owner = await rig.signIn();
  const [first] = await until('the mail is there', async () => {
    const { mails } = await rig.ask(outboxEndpoints.listOutbox, {}, owner);
    return mails.length > 0 ? mails : undefined;
  });
  const mailId = first?.id ?? '';
  expect(await rig.ask(outboxEndpoints.readOutboxMail, { mailId }, owner)).toMatchObject({ mail: { to: email } });
  expect(await rig.refusal(outboxEndpoints.listOutbox, {}, person)).toMatchObject({ status: 403 });
  expect(await rig.refusal(outboxEndpoints.readOutboxMail, { mailId }, person)).toMatchObject({ status: 403 });
  expect(await rig.refusal(outboxEndpoints.listOutbox, {}, {})).toMatchObject({ status: 401 });
  for (const odd of ['none', '../secret', '..%2Fsecret', `${mailId}.eml`, '']) {
    expect(await rig.refusal(outboxEndpoints.readOutboxMail, { mailId: odd }, owner)).toMatchObject({ status: 404 });
  }
});
