import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Consent, connectionEndpoints } from '#contract/connections.ts';
import { agent, agentKinds } from '../oauth/agent.ts';
import { answerWith, failWith, neverAnswer } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectAccessible, expectFocus, expectNoSidewaysScroll, useHarness } from './harness.ts';
import { narrow, wide } from './scene.ts';

const someRequest = '/oauth/consent?client_id=app_1';

function someQuestion(part: Partial<Extract<Consent, { outcome: 'ask' }>> = {}): Consent {
  return {
    outcome: 'ask',
    clientName: 'Aurora Editor',
    vouchedBy: null,
    redirect: { kind: 'this-computer', target: '127.0.0.1:51234' },
    workspaces: [{ id: 'individual', name: 'Individual' }],
    ...part,
  };
}

/** Starts a local program that waits for the browser to return to its callback. */
async function waitingProgram(): Promise<{ callback: string; answered: Promise<URL> }> {
  const { promise: answered, resolve } = Promise.withResolvers<URL>();
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) resolve(new URL(request.url, 'http://127.0.0.1'));
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Editor</title><link rel="icon" href="data:,"><p>Connected.</p>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { callback: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, answered };
}

/** Fails unless the page is accessible in both themes and fits, wide and narrow. */
async function expectReadable(page: Page, shown: Locator): Promise<void> {
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size);
    await shown.waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
}

describe.skipIf(!hasChromium)('connecting an application', () => {
  const harness = useHarness();

  test.each(agentKinds)(
    'a %s client is connected through the browser of a user who must sign in first',
    async (kind) => {
      const { callback, answered } = await waitingProgram();
      const client = agent(kind, `${harness.url}/mcp`, { callback });
      const toOpen = await client.connect();
      const page = await harness.signedOut();
      await page.goto(toOpen?.href ?? '');
      await page.getByRole('heading', { name: /^Sign in to/ }).waitFor();
      await page.waitForURL(/\/login\?/);
      await page.goto(await harness.signInLink());
      await page.getByRole('heading', { name: 'Let “Test editor” use Lectern?' }).waitFor();
      await page.getByText('This application is not verified').waitFor();
      await page.getByText(new URL(callback).host).waitFor();
      harness.allowLeaving(new URL(callback).origin);
      await page.getByRole('button', { name: 'Allow access' }).click();
      await client.finish(await answered);
      expect(await client.connect()).toBeUndefined();
      expect(await client.toolNames()).toContain('lectern_search_documentation');
    },
  );

  test('a new user verifies their email in another tab, allows an agent and revokes its access', async () => {
    const { callback, answered } = await waitingProgram();
    const client = agent('session-bearing', `${harness.url}/mcp`, { callback });
    const toOpen = await client.connect();
    const { page, email } = await harness.person();
    await page.goto(toOpen?.href ?? '');
    await page.getByRole('heading', { name: 'Verify your email first' }).waitFor();
    const { link } = await harness.mailTo(email);
    const other = await page.context().newPage();
    await other.goto(link);
    await page.getByText('Each search or read uses one of your credits.').waitFor();
    harness.allowLeaving(new URL(callback).origin);
    await page.getByRole('button', { name: 'Allow access' }).click();
    await client.finish(await answered);

    await other.goto('/account');
    await other.getByText('not used yet').waitFor();
    expect(await client.connect()).toBeUndefined();
    expect((await client.toolNames()).length).toBe(2);
    await other.getByRole('button', { name: 'Revoke access for Test editor' }).click();
    const dialog = other.getByRole('alertdialog', { name: 'Revoke access for “Test editor”' });
    await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
    await dialog.getByRole('button', { name: 'Revoke access' }).click();
    await other.getByText('No application is connected.').waitFor();
    expect((await client.connect())?.pathname).toBe('/oauth/authorize');
  });

  test('the deny button comes first by keyboard, and denying informs the application', async () => {
    const { callback, answered } = await waitingProgram();
    const client = agent('session-less', `${harness.url}/mcp`, { callback });
    const toOpen = await client.connect();
    const page = await harness.signedIn();
    harness.allowLeaving(new URL(callback).origin);
    await page.goto(toOpen?.href ?? '');
    await page.getByRole('radio', { name: /Individual/ }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect((await answered).searchParams.get('error')).toBe('access_denied');
  });

  test('a request with an unregistered redirect URI stays on this site and shows no consent buttons', async () => {
    const registered = await fetch(`${harness.url}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify({ client_name: 'Editor', redirect_uris: ['http://127.0.0.1/callback'] }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const request = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: 'https://evil.example/cb' },
      ...{ code_challenge: createHash('sha256').update('x').digest('base64url'), code_challenge_method: 'S256' },
    });
    const page = await harness.signedIn();
    await page.goto(`/oauth/authorize?${request.toString()}`);
    await page.getByRole('heading', { name: "This application can't be connected" }).waitFor();
    expect(await page.getByRole('button', { name: /Allow|Tell/ }).count()).toBe(0);
    expect(new URL(page.url()).origin).toBe(harness.url);
  });

  test('the consent page cannot be framed', async () => {
    const page = await harness.signedIn();
    const response = await page.goto(someRequest);
    expect(response?.headers()['x-frame-options']).toBe('DENY');
    expect(response?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  const asking = (part: Parameters<typeof someQuestion>[0]) => (page: Page) =>
    answerWith(page, connectionEndpoints.describeConsent, someQuestion(part));
  test.each<[string, (page: Page) => Promise<void>, string]>([
    ['an application that chose its name', asking({}), 'This application is not verified'],
    [
      'an application with a long name and several workspaces',
      asking({
        clientName: 'Averylongnamewithoutanyspaceinit'.repeat(2),
        redirect: { kind: 'site', target: 'connect.example-editor-with-a-long-name.dev' },
        workspaces: [
          { id: 'individual', name: 'Individual' },
          { id: 't1', name: 'Platform documentation' },
        ],
      }),
      'Platform documentation',
    ],
    [
      'an application that its site vouches for',
      asking({ vouchedBy: 'editor.example', redirect: { kind: 'site', target: 'editor.example' } }),
      'editor.example',
    ],
    [
      'an application that claims to be from a site',
      asking({ vouchedBy: 'editor.example', redirect: { kind: 'app', target: 'editor' } }),
      'It claims to be from editor.example',
    ],
    [
      'an invalid request',
      (page) =>
        answerWith(page, connectionEndpoints.describeConsent, {
          outcome: 'refused',
          reason: 'challenge-missing',
          returnTo: {
            url: 'https://app.example/cb?error=invalid_request',
            redirect: { kind: 'site', target: 'app.example' },
          },
        }),
      'Return to the application',
    ],
    [
      'an unverified email',
      (page) => answerWith(page, connectionEndpoints.describeConsent, { outcome: 'unverified' }),
      'Verify your email first',
    ],
    [
      'an error',
      (page) => failWith(page, connectionEndpoints.describeConsent, 'unavailable'),
      "Couldn't load the request",
    ],
    ['waiting', (page) => neverAnswer(page, connectionEndpoints.describeConsent), 'Reading the request…'],
  ])('%s: the consent page is readable on any screen, in both themes', async (_name, set, shown) => {
    const page = await harness.still('signed in');
    await set(page);
    await page.goto(someRequest);
    await expectReadable(page, page.getByText(shown).first());
  });

  const minuteMs = 60_000;
  const connections = [
    {
      ...{ id: 'c1', clientName: 'Aurora Editor', vouchedBy: 'aurora.example', workspaceName: 'Individual' },
      mayAskToIndex: true,
      ...{ connectedAt: Date.now() - 3 * 24 * 60 * minuteMs, lastUsedAt: Date.now() - 4 * minuteMs },
    },
    {
      ...{ id: 'c2', clientName: 'Averylongnamewithoutanyspaceinit'.repeat(2), vouchedBy: null },
      mayAskToIndex: false,
      ...{ workspaceName: 'Individual', connectedAt: Date.now() - minuteMs, lastUsedAt: null },
    },
  ];
  test.each<[string, (page: Page) => Promise<void>, string]>([
    [
      'connected applications',
      (page) => answerWith(page, connectionEndpoints.listConnections, { connections }),
      'aurora.example',
    ],
    [
      'no applications',
      (page) => answerWith(page, connectionEndpoints.listConnections, { connections: [] }),
      'No application is connected.',
    ],
    [
      'applications that fail to load',
      (page) => failWith(page, connectionEndpoints.listConnections, 'unavailable'),
      'The service is restarting.',
    ],
    [
      'applications that are loading',
      (page) => neverAnswer(page, connectionEndpoints.listConnections),
      'Loading connected applications…',
    ],
  ])('%s: the account page is readable on any screen, in both themes', async (_name, set, shown) => {
    const page = await harness.still('signed in');
    await set(page);
    await page.goto('/account');
    await expectReadable(page, page.locator('#applications').getByText(shown));
  });
});
