import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountDetailEndpoints } from '#contract/account-details.ts';
import { siteEndpoints } from '#contract/site.ts';
import { until } from '../services/until.ts';
import { openHttpRig } from './http-rig.ts';

test('no external link, counter or service is active unless the operator configures it', async () => {
  const rig = await openHttpRig();
  expect(await rig.ask(siteEndpoints.getSite, {}, rig.visitor)).toEqual({
    links: { docs: null, contact: null, source: null, bugReport: null, missingDocs: null },
    canRenderScripts: false,
    areCreditsOn: true,
    mailIsOutbox: true,
    conversionTag: null,
  });
  expect(await rig.ask(siteEndpoints.getFlags, {}, rig.visitor)).toEqual({
    isConnected: true,
    flags: { teams: false },
  });
  const policy = (await rig.send('/')).headers.get('content-security-policy') ?? '';
  expect(policy).not.toContain('http');
});

test('operator settings reach the pages, and only the configured script loads from another site', async () => {
  const rig = await openHttpRig({
    FEATURE_FLAGS: 'teams',
    DOCS_URL: 'https://docs.example.org',
    CONVERSION_TAG_URL: 'https://tag.example.org/tag.js',
    CONVERSION_ID: 'AW-1/signup',
    LECTERN_CONSENT: 'required',
  });
  expect(await rig.ask(siteEndpoints.getSite, {}, rig.visitor)).toMatchObject({
    links: { docs: 'https://docs.example.org', contact: null },
    conversionTag: { url: 'https://tag.example.org/tag.js', id: 'AW-1/signup', needsConsent: true },
  });
  expect(await rig.ask(siteEndpoints.getFlags, {}, await rig.signIn())).toMatchObject({ flags: { teams: true } });
  const policy = (await rig.send('/')).headers.get('content-security-policy') ?? '';
  const named = policy.split('; ').filter((part) => part.includes('http'));
  expect(named.map((part) => part.split(' ')[0])).toEqual(['script-src', 'img-src', 'connect-src']);
  expect(named.every((part) => part.endsWith(' https://tag.example.org'))).toBe(true);
});

test('a page error is recorded with its user, and without secrets', async () => {
  const rig = await openHttpRig();
  const fault = { name: 'TypeError', message: 'no key lec_0123456789abcdef', stack: '', path: '/keys' };
  await rig.ask(siteEndpoints.reportBrowserError, fault, rig.visitor);
  await rig.ask(siteEndpoints.reportBrowserError, fault, await rig.signIn());
  const kept = await until('both reports are kept', async () => {
    const text = await readFile(join(rig.dataFolder, 'error-reports.jsonl'), 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.length === 2 ? lines.map((line) => JSON.parse(line) as Record<string, unknown>) : undefined;
  });
  expect(kept[0]).toMatchObject({ from: 'browser', name: 'TypeError', path: '/keys' });
  expect(kept[0]).not.toHaveProperty('person');
  expect(kept[1]).toMatchObject({ person: { userId: 'local-owner' } });
  expect(JSON.stringify(kept)).not.toContain('0123456789');
});

test('the pages that mails link to reveal no address', async () => {
  const rig = await openHttpRig();
  const policyOf = async (path: string) => (await rig.send(path)).headers.get('referrer-policy');
  expect(await policyOf('/auth/action?mode=resetPassword&oobCode=x')).toBe('no-referrer');
  expect(await policyOf('/keys')).toBe('same-origin');
});

test('account details are visible to their owner only, not to visitors or agents', async () => {
  const rig = await openHttpRig();
  expect(await rig.ask(accountDetailEndpoints.getAccountDetails, {}, await rig.signIn())).toEqual({
    hasMarketingConsent: false,
    providers: [],
  });
  const agent = await rig.createKey();
  expect(await rig.refusal(accountDetailEndpoints.getAccountDetails, {}, rig.visitor)).toMatchObject({ status: 401 });
  expect(await rig.refusal(accountDetailEndpoints.getAccountDetails, {}, agent.sender)).toMatchObject({ status: 403 });
});
