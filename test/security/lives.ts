import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { billingAdministration, billingEndpoints } from '#contract/billing.ts';
import { askDocsPath } from '#contract/chat.ts';
import { type Endpoint, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { pdfPartPath, pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { profileEndpoints } from '#contract/profile.ts';
import { searchEndpoints } from '#contract/search.ts';
import { sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import { teamAdministration } from '#contract/teams.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import { type RunningInstallation, serve } from '#server/cli/serve.ts';
import { configOf, type Sender } from '../http/http-rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { startMailServer } from '../services/mail-server.ts';
import { makePdf } from '../services/make-pdf.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

/** The person who creates data of every kind. */
export const person = {
  email: 'canary.person@example.org',
  password: 'Tr0ub4dor-CANARY',
  displayName: 'Canary Q. Person',
};
const docs = 'DOCS-CANARY marzipan lantern';
export const question = 'CHAT-CANARY where is the lantern';
const pdfText = 'PDF-CANARY brass wick';
export const credential = 'CREDENTIAL-CANARY-value';

/** A server in this process, called like a browser or an agent does. */
export interface Server {
  running: RunningInstallation;
  ask<E extends Endpoint>(endpoint: E, input: InputOf<E>, sender?: Sender): Promise<OutputOf<E>>;
  status(endpoint: Endpoint, input: Record<string, unknown>, sender?: Sender): Promise<number>;
  send(path: string, init?: RequestInit): Promise<Response>;
}

/** Starts the server on this folder; closed after the test. */
export async function start(dataFolder: string, environment: Record<string, string>): Promise<Server> {
  const running = await serve(configOf(dataFolder, environment));
  onTestFinished(() => running.close());
  const send: Server['send'] = (path, init) => fetch(running.url + path, { redirect: 'manual', ...init });
  const ask = (endpoint: Endpoint, input: Record<string, unknown>, sender: Sender) => {
    const { path, body } = toRequest(endpoint, input);
    return send(path, { method: endpoint.method, headers: sender, body: body ?? null });
  };
  return {
    ...{ running, send },
    async ask(endpoint, input, sender = {}) {
      const response = await ask(endpoint, input as Record<string, unknown>, sender);
      if (response.status !== 200) throw new Error(`${endpoint.path}: ${await response.text()}`);
      return endpoint.output.parse(await response.json()) as OutputOf<typeof endpoint>;
    },
    async status(endpoint, input, sender = {}) {
      const response = await ask(endpoint, input, sender);
      await response.arrayBuffer();
      return response.status;
    },
  };
}

async function signUp(server: Server, account: typeof person): Promise<Sender> {
  const body = JSON.stringify(account);
  const response = await server.send(identityEndpoints.signUpWithEmail.path, { method: 'POST', body });
  expect(response.status).toBe(200);
  const { query } = server.running.installation.base.db;
  await query.updateTable('users').set({ emailVerifiedAt: 1 }).where('email', '=', account.email).execute();
  return { cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'x-lectern-csrf': '1' };
}

async function untilIndexed(server: Server, jobId: string, sender: Sender): Promise<void> {
  const job = await until(
    'the run has ended',
    async () => {
      const answer = await server.ask(libraryEndpoints.getJob, { jobId }, sender);
      return answer.job.endTime === null ? undefined : answer.job;
    },
    60_000,
  );
  expect(job.status).toBe('COMPLETE');
}

/** Buys a plan, and credits for a team without other members. */
async function buy(server: Server, sender: Sender): Promise<void> {
  const { teamId } = await server.ask(teamAdministration.createTeam, { teamName: 'Alone' }, sender);
  for (const { url } of [
    await server.ask(billingEndpoints.subscribe, { tier: 'Basic' }, sender),
    await server.ask(billingAdministration.purchaseTeamCredits, { teamId, amount: 1000 }, sender),
  ]) {
    const checkoutId = url.slice(url.lastIndexOf('/') + 1);
    await server.ask(testBillingEndpoints.payTestCheckout, { checkoutId }, sender);
  }
}

/** Opens a server on which one person has created data of every kind; `variables` configure its storage. */
export async function openLives(variables: Record<string, string> = {}) {
  const [site, mail] = await Promise.all([startSampleSite(1), startMailServer()]);
  site.pages.set('page0', docs);
  onTestFinished(async () => {
    await site.close();
    await mail.stop();
  });
  const dataFolder = join(temporaryFolder(), 'data');
  const mails = { SMTP_URL: mail.url, MAIL_FROM: 'lectern@example.org' };
  const environment = { LECTERN_ALLOW_HOSTS: site.host, ...mails, ...variables };
  const server = await start(dataFolder, environment);
  const sender = await signUp(server, person);
  const other = await signUp(server, { ...person, email: 'other@example.org', displayName: 'Somebody else' });
  const { secret: key } = await server.ask(keyEndpoints.createKey, { name: 'KEY-NAME-CANARY' }, sender);
  const source = { source: site.url, moduleId: 'own', visibility: 'private' } as const;
  const { job } = await server.ask(libraryEndpoints.startIndexJob, source, sender);
  await untilIndexed(server, job.id, sender);
  const secret = { kind: 'header', name: 'x-key', value: credential } as const;
  await server.ask(sourceCredentialEndpoints.createSourceCredential, { url: site.origin, secret }, sender);
  const { set } = await server.ask(pdfSetEndpoints.createPdfSet, { displayName: 'PDF-SET-CANARY' }, sender);
  const bytes = makePdf({ pages: [[{ text: pdfText, x: 72, y: 700 }]] });
  const upload = { setId: set.setId, fileName: 'a.pdf', sizeBytes: bytes.byteLength };
  const { uploadId } = (await server.ask(pdfSetEndpoints.startPdfUpload, upload, sender)).upload;
  const headers = { ...sender, 'content-type': 'application/octet-stream' };
  await server.send(pdfPartPath(uploadId, 0), { method: 'PUT', headers, body: new Uint8Array(bytes) });
  await server.ask(pdfSetEndpoints.completePdfUpload, { uploadId }, sender);
  const lockfile = { path: 'package-lock.json', text: '{"lockfileVersion":3,"packages":{}}' };
  await server.status(profileEndpoints.setProfile, { name: 'PROJECT-CANARY', files: [lockfile] }, sender);
  const chat = await server.send(askDocsPath, { method: 'POST', headers: sender, body: JSON.stringify({ question }) });
  await chat.text();
  const search = { query: 'marzipan lantern' };
  const agent = { authorization: `Bearer ${key}` };
  const answer = await server.ask(searchEndpoints.search, search, agent);
  expect(JSON.stringify(answer)).toContain('DOCS-CANARY');
  await buy(server, sender);
  const teamOfBoth = await server.ask(teamAdministration.createTeam, { teamName: 'Both' }, other);
  return {
    site,
    dataFolder,
    environment,
    server,
    sender,
    other,
    key,
    agent,
    search,
    answer,
    teamId: teamOfBoth.teamId,
  };
}
