import { expect, onTestFinished, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { type Endpoint, toRequest } from '#contract/endpoint.ts';
import { hostingEndpoints } from '#contract/hosting.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { configOf } from '../http/http-rig.ts';
import { newDataFolder, startServerProcess } from '../library/server-process.ts';
import { startCodeHost } from '../services/code-host.ts';
import { app, appClient, oauthClient } from '../services/code-host-state.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { choose } from './rig.ts';

const writings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(`x-access-token:${secret}`).toString('base64').replace(/=+$/, ''),
];

test('no token, secret, state or key is in the log, a response, the audit log or, unencrypted, the database', async () => {
  const host = await startCodeHost(temporaryFolder());
  onTestFinished(() => host.stop());
  host.addPerson('ada');
  // A user token of the App that is always about to expire, so that each use creates a new one.
  host.accessSeconds = 30;
  const project = await host.addProject('ada/handbook', { isPrivate: true, files: { 'README.md': '# Handbook' } });
  host.install('ada', [project]);
  const folder = newDataFolder();
  const environment = { ...host.environment.oauth, ...host.environment.app, LOG_LEVEL: 'trace' };
  const server = await startServerProcess(folder, host.host, environment);
  onTestFinished(() => server.kill());
  host.appWebhookUrl = `${server.url}/webhooks/github`;
  const told: string[] = [];
  const link = new URL((await server.call(accountEndpoints.createSignInLink, {})).url);
  const opened = await fetch(`${server.url}/api/session`, {
    method: 'POST',
    body: JSON.stringify({ code: link.searchParams.get('code') }),
  });
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
  const ask = async (endpoint: Endpoint, input: Record<string, unknown> = {}) => {
    const { path, body } = toRequest(endpoint, input);
    const headers = { cookie, 'x-lectern-csrf': '1' };
    const response = await fetch(server.url + path, { method: endpoint.method, headers, body });
    const text = await response.text();
    told.push(text);
    return JSON.parse(text) as Record<string, never>;
  };
  const states: string[] = [];
  for (const method of ['oauth', 'app'] as const) {
    // The address contains the state, which is meant for this browser only.
    const { url = '' } = await ask(hostingEndpoints.connectGithub, { method });
    told.pop();
    states.push(new URL(url).searchParams.get('state') ?? '');
    const back = new URL(await choose(url, 'ada'));
    const answer = await fetch(server.url + back.pathname + back.search, { headers: { cookie }, redirect: 'manual' });
    told.push(answer.headers.get('location') ?? '', await answer.text());
    await ask(hostingEndpoints.listRepositories, { isFresh: true });
  }
  await ask(hostingEndpoints.addRepository, { repository: 'ada/handbook' });
  await ask(hostingEndpoints.listInstallations);
  await host.push(project, { 'README.md': '# Changed' });
  host.trouble = 'broken';
  await ask(hostingEndpoints.listRepositories, { isFresh: true });
  await ask(hostingEndpoints.disconnectGithub);
  host.trouble = undefined;
  await ask(hostingEndpoints.getHosting);
  await until('a fault is in the log', () => /code host/.test(server.errors() + server.output()));
  const log = server.errors() + server.output();
  await server.kill();
  const db = await openDatabase(configOf(folder).database);
  onTestFinished(() => db.close());
  const tables = ['codeHostConnections', 'codeHostAttempts', 'codeHostRevocations', 'hostedRepositories'] as const;
  const kept = ['auditLog', 'modules', 'jobRuns', 'repositories', ...tables] as const;
  const rows = await Promise.all(kept.map((table) => db.query.selectFrom(table).selectAll().execute()));
  const everything = [log, ...told, JSON.stringify(rows)].join('\n');
  const key = String(host.appKey.export({ type: 'pkcs1', format: 'pem' })).split('\n')[1] ?? '';
  const secrets = [...host.givenTokens, ...states, oauthClient.secret, appClient.secret, app.webhookSecret, key];
  expect(host.givenTokens.length).toBeGreaterThan(4);
  expect(secrets.filter((secret) => writings(secret).some((writing) => everything.includes(writing)))).toEqual([]);
});
