import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ApiRequest, answerApi } from './code-host-api.ts';
import { authorize, exchange, revokeToken } from './code-host-oauth.ts';
import {
  app,
  appClient,
  type CodeHostState,
  grantOf,
  type HostedProject,
  type HostPerson,
  installationOf,
  mayRead,
  newState,
  oauthClient,
  type SignedDelivery,
  signatureOf,
} from './code-host-state.ts';
import { gitEnvironment } from './git-repository.ts';
import { type GitServer, startGitServer } from './git-server.ts';

/** A fake GitHub on loopback: OAuth, App, REST API, events, and git over HTTP. */
export interface CodeHostServer extends CodeHostState {
  host: string;
  git: GitServer;
  /** The variables to configure on the server, for each way to connect. */
  environment: { oauth: Record<string, string>; app: Record<string, string> };
  addPerson(login: string): HostPerson;
  /** Adds a repository administered by its owner, with content if files are given. */
  addProject(
    fullName: string,
    options?: { isPrivate?: boolean; files?: Record<string, string>; readers?: string[]; description?: string },
  ): Promise<HostedProject>;
  /** Installs the App on some repositories of an account. */
  install(login: string, projects: HostedProject[], type?: 'User' | 'Organization'): number;
  /** Pushes a commit and notifies the webhooks. Returns the deliveries. */
  push(project: HostedProject, files: Record<string, string | null>): Promise<SignedDelivery[]>;
  /** Signs an event and posts it to every webhook concerned. */
  tell(event: string, payload: object, project?: HostedProject): Promise<SignedDelivery[]>;
  rename(project: HostedProject, fullName: string): void;
  /** The address that the App's events are posted to. */
  appWebhookUrl: string | undefined;
  stop(): Promise<void>;
}

/** Starts the host; port 0 picks a free one. `folder` belongs to the caller and holds the repositories. */
export async function startCodeHost(folder: string, port = 0, now: () => number = Date.now): Promise<CodeHostServer> {
  const state = newState(now);
  const git = await startGitServer(folder);
  const server = createServer((request, response) => {
    void answer(state, git, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  state.url = `http://${host}`;
  const common = { LECTERN_ALLOW_HOSTS: host, GITHUB_URL: state.url };
  const self: CodeHostServer = Object.assign(state, {
    ...{ host, git, appWebhookUrl: undefined },
    environment: {
      oauth: { ...common, GITHUB_CLIENT_ID: oauthClient.id, GITHUB_CLIENT_SECRET: oauthClient.secret },
      app: {
        ...common,
        LECTERN_GITHUB_APP_ID: app.id,
        LECTERN_GITHUB_APP_SLUG: app.slug,
        LECTERN_GITHUB_APP_CLIENT_ID: appClient.id,
        LECTERN_GITHUB_APP_CLIENT_SECRET: appClient.secret,
        LECTERN_GITHUB_APP_PRIVATE_KEY: String(state.appKey.export({ type: 'pkcs1', format: 'pem' })),
        LECTERN_GITHUB_WEBHOOK_SECRET: app.webhookSecret,
      },
    },
    addPerson(login: string) {
      const person = { id: 1001 + state.people.length, login, email: `${login}@docs.example` };
      state.people.push(person);
      return person;
    },
    async addProject(fullName: string, options: Parameters<CodeHostServer['addProject']>[1] = {}) {
      const project = await newProject(state, git, fullName, options);
      state.projects.push(project);
      return project;
    },
    install(login: string, projects: HostedProject[], type: 'User' | 'Organization' = 'Organization') {
      const id = 500 + state.installations.length;
      const repositoryIds = new Set(projects.map((project) => project.id));
      state.installations.push({ id, account: { login, type }, repositoryIds, isSuspended: false });
      return id;
    },
    async push(project: HostedProject, files: Record<string, string | null>) {
      await project.served?.commit(files);
      project.pushedAt = new Date(now()).toISOString();
      return self.tell('push', { ref: `refs/heads/${project.defaultBranch}` }, project);
    },
    async tell(event: string, payload: object, project?: HostedProject) {
      const made = deliveriesOf(self, event, payload, project);
      state.deliveries.push(...made);
      for (const { url, headers, body } of made) await fetch(url, { method: 'POST', headers, body });
      return made;
    },
    rename(project: HostedProject, fullName: string) {
      project.formerNames.push(project.fullName);
      project.fullName = fullName;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
      await git.stop();
    },
  });
  return self;
}

function deliveriesOf(
  { appWebhookUrl, ...state }: CodeHostServer,
  event: string,
  payload: object,
  project: HostedProject | undefined,
): SignedDelivery[] {
  const installation = project && installationOf(state, project);
  const body = JSON.stringify({
    ...(project && { repository: { id: project.id, full_name: project.fullName, private: project.isPrivate } }),
    ...(installation && { installation: { id: installation.id } }),
    ...payload,
  });
  const hooks = [
    ...(project?.hooks ?? []),
    ...(appWebhookUrl === undefined ? [] : [{ url: appWebhookUrl, secret: app.webhookSecret }]),
  ];
  return hooks.map(({ url, secret }) => ({
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': signatureOf(body, secret),
    },
  }));
}

async function answer(
  state: CodeHostState,
  git: GitServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', state.url);
  const project = /^\/([^/]+\/[^/]+)\.git\//.exec(url.pathname)?.[1];
  if (project !== undefined) return proxyGit(state, git, { fullName: project, url }, request, response);
  if (url.pathname === '/login/oauth/authorize') return authorize(state, url.searchParams, response);
  const body = await text(request);
  state.started += 1;
  await state.hold;
  const send = (status: number, answered: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(answered === undefined ? undefined : JSON.stringify(answered));
  };
  if (url.pathname === '/login/oauth/access_token') return send(200, exchange(state, new URLSearchParams(body)));
  if (!url.pathname.startsWith('/api/v3/')) return send(404, { message: 'Not Found' });
  const path = url.pathname.slice('/api/v3'.length);
  const asked = {
    ...{ method: request.method ?? 'GET', path, query: url.searchParams },
    headers: request.headers as ApiRequest['headers'],
    body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
  };
  const ended = /^\/applications\/([^/]+)\/token$/.exec(path)?.[1];
  if (ended !== undefined && asked.method === 'DELETE') {
    if (state.trouble === 'broken') return send(502, { message: 'Bad gateway' });
    const token = String(asked.body['access_token']);
    return send(revokeToken(state, ended, asked.headers['authorization'] ?? '', token), undefined);
  }
  const { status, body: answered, headers } = await answerApi(state, asked);
  send(status, answered, headers);
}

/** Serves content to callers with a token that can read it; others do not see a private repository. */
function proxyGit(
  state: CodeHostState,
  git: GitServer,
  { fullName, url }: { fullName: string; url: URL },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const given = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  const token = /^x-access-token:(.+)$/.exec(given)?.[1];
  const grant = token === undefined ? undefined : grantOf(state, token);
  const project = state.projects.find((one) => one.fullName === fullName || one.formerNames.includes(fullName));
  if (token !== undefined && grant === undefined) return void response.writeHead(401).end();
  if (project?.served === undefined || !mayRead(state, project, grant)) {
    const status = token === undefined ? 401 : 404;
    return void response.writeHead(status, { 'www-authenticate': 'Basic realm="git"' }).end();
  }
  const target = new URL(project.served.url);
  const path = `${target.pathname}${url.pathname.slice(`/${fullName}.git`.length)}${url.search}`;
  const { authorization: _authorization, host: _host, ...headers } = request.headers;
  const passed = httpRequest(new URL(path, git.origin), { method: request.method, headers }, (back) => {
    response.writeHead(back.statusCode ?? 502, back.headers);
    back.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}

async function newProject(
  state: CodeHostState,
  git: GitServer,
  fullName: string,
  {
    isPrivate = false,
    files,
    readers = [],
    description = '',
  }: NonNullable<Parameters<CodeHostServer['addProject']>[1]>,
): Promise<HostedProject> {
  const [owner = ''] = fullName.split('/');
  const id = 9001 + state.projects.length;
  const served = files === undefined ? undefined : await git.add(`stored/${id}`);
  if (files !== undefined) await served?.commit(files);
  return {
    ...{ id, fullName, formerNames: [], isPrivate, description, served, isTreeCut: false },
    defaultBranch: 'main',
    pushedAt: new Date(state.now() - id * 60_000).toISOString(),
    readers: new Set([owner, ...readers]),
    admins: new Set([owner]),
    hooks: [],
    refs: async (kind) => {
      if (served === undefined) return kind === 'branch' ? [{ name: 'main', sha: 'a'.repeat(40) }] : [];
      const pattern = `refs/${kind === 'branch' ? 'heads' : 'tags'}`;
      const lines = await runGit(served.folder, [
        'for-each-ref',
        '--format=%(objectname) %(refname:lstrip=2)',
        pattern,
      ]);
      return lines.map((line) => ({ sha: line.slice(0, 40), name: line.slice(41) }));
    },
    paths: async (sha) => (served === undefined ? [] : runGit(served.folder, ['ls-tree', '-r', '--name-only', sha])),
  };
}

async function runGit(folder: string, args: string[]): Promise<string[]> {
  const child = spawn('git', ['-C', folder, ...args], { env: gitEnvironment(), stdio: ['ignore', 'pipe', 'ignore'] });
  return (await text(child.stdout)).split('\n').filter((line) => line !== '');
}
