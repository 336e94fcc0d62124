import { expect, test } from 'vitest';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { browserAt, type IdentitySample, openIdentitySample } from '#test/services/sample-identity.ts';
import { createConfMails } from './mails.ts';
import { confirmConf, leaveConf, listConf, signUpForConf } from './sign-ups.ts';

const sealingKeys: SealingKeys = [new Uint8Array(32).fill(7)];
const dayMs = 86_400_000;

function confOf({ visitor, send, deps, mailsTo, as }: IdentitySample) {
  const mails = createConfMails({ send, productName: 'Lectern', publicUrl: 'https://docs.example' });
  const parts = { mails, background: deps.background, sealingKeys };
  const tokensIn = (text: string) => ({
    confirm: /#confirm=([\w-]+)/.exec(text)?.[1] ?? '',
    leave: /#leave=([\w-]+)/.exec(text)?.[1] ?? '',
  });
  return {
    signUp: (email: string, address?: string) => signUpForConf(visitor, { email }, browserAt(address), parts),
    confirm: (token: string) => confirmConf(visitor, { token }, browserAt()),
    leave: (token: string) => leaveConf(visitor, { token }, parts),
    listed: async () => (await listConf(as({ kind: 'operator', userId: 'owner' }))).map(({ email }) => email),
    mails: async (email: string) => (await mailsTo(email)).map(({ subject, text }) => ({ subject, ...tokensIn(text) })),
  };
}

onEachDatabase('the conference sign-up list', (kind) => {
  test('the link in the mail adds an address to the list, once', async () => {
    const conf = confOf(await openIdentitySample(kind));
    await conf.signUp(' Ada@Docs.example ');
    const [mail] = await conf.mails('ada@docs.example');
    expect(mail?.subject).toBe('Confirm your sign-up for the Lectern conference');
    expect(await conf.listed()).toEqual([]);
    const outcomes = await Promise.allSettled([conf.confirm(mail?.confirm ?? ''), conf.confirm(mail?.confirm ?? '')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await conf.listed()).toEqual(['ada@docs.example']);
    await expect(conf.confirm(mail?.confirm ?? '')).rejects.toMatchObject({ code: 'conf-link-invalid' });
  });

  test('signing up twice, also concurrently, is one entry, and only the newest link works', async () => {
    const conf = confOf(await openIdentitySample(kind));
    await conf.signUp('ada@docs.example');
    const [first] = await conf.mails('ada@docs.example');
    await Promise.all([conf.signUp('ada@docs.example'), conf.signUp('ADA@docs.example')]);
    const mails = await conf.mails('ada@docs.example');
    expect(mails).toHaveLength(3);
    await expect(conf.confirm(first?.confirm ?? '')).rejects.toMatchObject({ code: 'conf-link-invalid' });
    const confirmed = await Promise.allSettled(mails.slice(1).map(({ confirm }) => conf.confirm(confirm)));
    expect(confirmed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await conf.listed()).toEqual(['ada@docs.example']);
  });

  test('an address already on the list gets the same response and a mail that says so', async () => {
    const conf = confOf(await openIdentitySample(kind));
    await conf.signUp('ada@docs.example');
    await conf.confirm((await conf.mails('ada@docs.example'))[0]?.confirm ?? '');
    expect(await conf.signUp('ada@docs.example')).toBe(await conf.signUp('new@docs.example'));
    const second = (await conf.mails('ada@docs.example'))[1];
    expect(second).toMatchObject({ subject: 'You are on the list for the Lectern conference', confirm: '' });
    expect(await conf.listed()).toEqual(['ada@docs.example']);
  });

  test('the link in any mail removes the address, however often it is opened', async () => {
    const sample = await openIdentitySample(kind);
    const conf = confOf(sample);
    await conf.signUp('ada@docs.example');
    const [mail] = await conf.mails('ada@docs.example');
    await conf.confirm(mail?.confirm ?? '');
    await conf.leave(mail?.leave ?? '');
    await conf.leave(mail?.leave ?? '');
    expect(await sample.visitor.db.query.selectFrom('confSignUps').selectAll().execute()).toEqual([]);
    const changed = `${mail?.leave.slice(0, -2) ?? ''}AA`;
    await expect(conf.leave(changed)).rejects.toMatchObject({ code: 'conf-link-invalid' });
    await expect(conf.leave('')).rejects.toMatchObject({ code: 'conf-link-invalid' });
  });

  test('an address not confirmed within a day is deleted', async () => {
    const sample = await openIdentitySample(kind);
    const conf = confOf(sample);
    await conf.signUp('ada@docs.example');
    const [mail] = await conf.mails('ada@docs.example');
    sample.visitor.clock.advance(dayMs);
    await expect(conf.confirm(mail?.confirm ?? '')).rejects.toMatchObject({ code: 'conf-link-invalid' });
    await conf.signUp('new@docs.example');
    await conf.mails('new@docs.example');
    const rows = await sample.visitor.db.query.selectFrom('confSignUps').select('email').execute();
    expect(rows).toEqual([{ email: 'new@docs.example' }]);
  });

  test('mails are limited per recipient and per network; invalid addresses are refused', async () => {
    const conf = confOf(await openIdentitySample(kind));
    for (let times = 0; times < 5; times += 1) await conf.signUp('ada@docs.example', `198.51.100.${times}`);
    await expect(conf.signUp('ada@docs.example', '198.51.100.9')).rejects.toMatchObject({ code: 'too-many-requests' });
    for (let times = 0; times < 30; times += 1) await conf.signUp(`a${times}@docs.example`, '203.0.113.5');
    await expect(conf.signUp('b@docs.example', '203.0.113.5')).rejects.toMatchObject({ code: 'too-many-requests' });
    await expect(conf.signUp('not an address')).rejects.toMatchObject({ code: 'invalid-email' });
  });

  test('only the operator can read the list', async () => {
    const sample = await openIdentitySample(kind);
    const { ctx } = await sample.join();
    await expect(listConf(sample.visitor)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(listConf(ctx)).rejects.toMatchObject({ code: 'permission-denied' });
  });
});
