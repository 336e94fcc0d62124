import { verify } from 'node:crypto';
import {
  app,
  type CodeHostState,
  type Grant,
  giveToken,
  grantOf,
  type HostedProject,
  type HostInstallationState,
  mayRead,
} from './code-host-state.ts';

export interface ApiRequest {
  method: string;
  /** The path below the API's root. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: Record<string, unknown>;
}

export interface ApiAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const notFound: ApiAnswer = { status: 404, body: { message: 'Not Found' } };
const badCredentials: ApiAnswer = { status: 401, body: { message: 'Bad credentials' } };

/** Responds to one REST API request as GitHub documents it. */
export async function answerApi(state: CodeHostState, request: ApiRequest): Promise<ApiAnswer> {
  state.requests.push(`${request.method} ${request.path}`);
  if (!request.headers['user-agent']) state.complaints.push(`${request.path}: no user agent`);
  const trouble = troubleOf(state);
  if (trouble !== undefined) return trouble;
  const asApp = await answerAsApp(state, request);
  if (asApp !== undefined) return asApp;
  const token = (request.headers['authorization'] ?? '').replace(/^(bearer|token) /i, '');
  const grant = grantOf(state, token);
  // An invalid token is refused, even where none is needed.
  if (grant === undefined) return badCredentials;
  const answer = (await answerPerson(state, request, grant)) ?? (await answerRepository(state, request, grant));
  const scopes: Record<string, string> = grant.client === 'oauth' ? { 'x-oauth-scopes': grant.scopes.join(', ') } : {};
  return { ...answer, headers: { ...scopes, ...answer.headers } };
}

function troubleOf(state: CodeHostState): ApiAnswer | undefined {
  const message = 'API rate limit exceeded';
  switch (state.trouble) {
    case 'primary-limit': {
      const reset = String(Math.floor(state.now() / 1000) + 880);
      return { status: 403, body: { message }, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } };
    }
    case 'secondary-limit':
      return {
        status: 429,
        body: { message: 'You have exceeded a secondary rate limit' },
        headers: { 'retry-after': '120' },
      };
    case 'broken':
      return { status: 502, body: { message: 'Bad gateway' } };
    case undefined:
      return undefined;
  }
}

/** Handles requests with the App's own signed token. */
async function answerAsApp(state: CodeHostState, request: ApiRequest): Promise<ApiAnswer | undefined> {
  const ofRepository = /^\/repos\/([^/]+\/[^/]+)\/installation$/.exec(request.path)?.[1];
  const ofInstallation = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(request.path)?.[1];
  if (ofRepository === undefined && ofInstallation === undefined) return undefined;
  if (!isAppToken(state, request)) return badCredentials;
  if (ofRepository !== undefined) {
    const project = projectOf(state, ofRepository);
    const found = project && state.installations.find((one) => one.repositoryIds.has(project.id));
    return found === undefined ? notFound : { status: 200, body: presentInstallation(state, found) };
  }
  const installation = state.installations.find(({ id }) => String(id) === ofInstallation);
  if (installation === undefined) return notFound;
  if (installation.isSuspended) return { status: 403, body: { message: 'This installation has been suspended' } };
  const asked = (request.body['repository_ids'] ?? []) as number[];
  if (asked.some((id) => !installation.repositoryIds.has(id))) return { status: 422, body: { message: 'no access' } };
  const [person] = state.people;
  if (person === undefined) return notFound;
  const bound = { id: installation.id, repositoryIds: asked };
  const token = giveToken(state, { person, client: 'installation', scopes: [], installation: bound }, 3600);
  const expires_at = new Date(state.now() + 3_600_000).toISOString();
  const permissions = request.body['permissions'];
  if (JSON.stringify(permissions) !== '{"contents":"read","metadata":"read"}') {
    state.complaints.push(`a token with ${JSON.stringify(permissions)}`);
  }
  return { status: 201, body: { token, expires_at, permissions, repository_selection: 'selected' } };
}

/** Returns true for a token signed with RS256 by the App's key, in its name, and valid for at most ten minutes. */
function isAppToken(state: CodeHostState, request: ApiRequest): boolean {
  const [header = '', claims = '', signature = ''] = (request.headers['authorization'] ?? '')
    .replace(/^bearer /i, '')
    .split('.');
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString() || '{}') as Record<string, unknown>;
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${claims}`),
    state.appPublicKey,
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) {
    state.complaints.push('a token of the App with a wrong signature');
    return false;
  }
  const { iss, iat, exp } = read(claims);
  const now = state.now() / 1000;
  const isInTime = Number(iat) <= now && Number(exp) > now && Number(exp) - now <= 600;
  const isRight = read(header)['alg'] === 'RS256' && String(iss) === app.id && isInTime;
  if (!isRight) state.complaints.push('a token of the App that does not count');
  return isRight;
}

async function answerPerson(state: CodeHostState, request: ApiRequest, grant: Grant): Promise<ApiAnswer | undefined> {
  const { person } = grant;
  if (request.method !== 'GET') return undefined;
  if (request.path === '/user' || request.path === '/user/emails') {
    const { id, login, email } = person;
    if (request.path === '/user/emails') return { status: 200, body: [{ email, primary: true, verified: true }] };
    return { status: 200, body: { id, login, name: login, avatar_url: null, html_url: `${state.url}/${login}` } };
  }
  if (request.path === '/user/repos') {
    const own = state.projects.filter((one) => one.readers.has(person.login) && mayRead(state, one, grant));
    return paged(
      state,
      request,
      own.map((one) => presentProject(state, one)),
    );
  }
  if (!request.path.startsWith('/user/installations')) return undefined;
  if (grant.client !== 'app') return { status: 403, body: { message: 'You must authenticate with an App token' } };
  const seen = state.installations.filter(({ repositoryIds }) =>
    state.projects.some((one) => repositoryIds.has(one.id) && one.readers.has(person.login)),
  );
  const id = /^\/user\/installations\/(\d+)\/repositories$/.exec(request.path)?.[1];
  if (id === undefined) {
    return paged(
      state,
      request,
      seen.map((one) => presentInstallation(state, one)),
      'installations',
    );
  }
  const installation = seen.find((one) => String(one.id) === id);
  if (installation === undefined) return notFound;
  const both = state.projects.filter((one) => installation.repositoryIds.has(one.id) && one.readers.has(person.login));
  return paged(
    state,
    request,
    both.map((one) => presentProject(state, one)),
    'repositories',
  );
}

async function answerRepository(state: CodeHostState, request: ApiRequest, grant: Grant): Promise<ApiAnswer> {
  const byId = /^\/repositories\/(\d+)$/.exec(request.path)?.[1];
  const [, fullName, rest = ''] = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(request.path) ?? [];
  const project =
    byId === undefined ? projectOf(state, fullName ?? '') : state.projects.find(({ id }) => String(id) === byId);
  // A caller who may not read a private repository gets "not found".
  if (project === undefined || !mayRead(state, project, grant)) return notFound;
  if (fullName !== undefined && fullName !== project.fullName) {
    const location = `${state.url}/api/v3/repositories/${project.id}`;
    return { status: 301, body: { message: 'Moved Permanently', url: location }, headers: { location } };
  }
  if (rest === '') return { status: 200, body: presentProject(state, project) };
  if (rest.startsWith('/hooks')) return answerHooks(request, rest, project, grant);
  if (rest === '/branches' || rest === '/tags') {
    const refs = await project.refs(rest === '/branches' ? 'branch' : 'tag');
    return paged(
      state,
      request,
      refs.map(({ name, sha }) => ({ name, commit: { sha } })),
    );
  }
  const [, kind, name = ''] = /^\/git\/ref\/(heads|tags)\/(.+)$/.exec(rest) ?? [];
  if (kind !== undefined) {
    const refs = await project.refs(kind === 'heads' ? 'branch' : 'tag');
    const found = refs.find((ref) => ref.name === decodeURIComponent(name));
    return found === undefined
      ? notFound
      : { status: 200, body: { ref: `refs/${kind}/${found.name}`, object: { type: 'commit', sha: found.sha } } };
  }
  const tree = /^\/git\/trees\/([^/]+)$/.exec(rest)?.[1];
  if (tree === undefined) return notFound;
  const paths = await project.paths(tree);
  const entries = paths.map((path) => ({ path, type: 'blob', mode: '100644', sha: tree }));
  return { status: 200, body: { sha: tree, truncated: project.isTreeCut, tree: entries } };
}

/** Only an admin with a sufficient token can use webhooks: others get "not found". */
function answerHooks(request: ApiRequest, rest: string, project: HostedProject, grant: Grant): ApiAnswer {
  const mayAsk = grant.client === 'oauth' && grant.scopes.includes('repo') && project.admins.has(grant.person.login);
  if (!mayAsk) return notFound;
  if (request.method === 'DELETE') {
    const before = project.hooks.length;
    project.hooks = project.hooks.filter(({ id }) => rest !== `/hooks/${id}`);
    return project.hooks.length < before ? { status: 204 } : notFound;
  }
  if (request.method === 'GET') {
    return { status: 200, body: project.hooks.map((hook) => ({ id: hook.id, config: { url: hook.url } })) };
  }
  const { url, secret } = (request.body['config'] ?? {}) as { url?: string; secret?: string };
  if (!url || !secret) return { status: 422, body: { message: 'Validation Failed' } };
  const known = project.hooks.find((hook) => rest === `/hooks/${hook.id}`);
  if (request.method === 'PATCH') {
    if (known === undefined) return notFound;
    Object.assign(known, { url, secret });
    return { status: 200, body: { id: known.id, active: true } };
  }
  if (project.hooks.some((hook) => hook.url === url)) {
    return { status: 422, body: { message: 'Validation Failed', errors: [{ message: 'Hook already exists' }] } };
  }
  const id = Math.max(0, ...project.hooks.map((hook) => hook.id)) + project.id * 1000 + 1;
  project.hooks.push({ id, url, secret });
  return { status: 201, body: { id, active: true, events: request.body['events'] } };
}

function projectOf(state: CodeHostState, fullName: string): HostedProject | undefined {
  return (
    state.projects.find((one) => one.fullName === fullName) ??
    state.projects.find((one) => one.formerNames.includes(fullName))
  );
}

function presentProject(state: CodeHostState, project: HostedProject): Record<string, unknown> {
  const { id, fullName, isPrivate, defaultBranch, description, pushedAt } = project;
  return {
    id,
    full_name: fullName,
    html_url: `${state.url}/${fullName}`,
    clone_url: `${state.url}/${fullName}.git`,
    private: isPrivate,
    fork: false,
    archived: false,
    default_branch: defaultBranch,
    description,
    size: 12,
    pushed_at: pushedAt,
  };
}

function presentInstallation(state: CodeHostState, { id, account, isSuspended }: HostInstallationState) {
  return {
    id,
    account,
    repository_selection: 'selected',
    suspended_at: isSuspended ? new Date(0).toISOString() : null,
    html_url: `${state.url}/settings/installations/${id}`,
  };
}

/** Returns one page of a list, with the next page's address in the `Link` header. */
function paged(state: CodeHostState, request: ApiRequest, all: unknown[], key?: string): ApiAnswer {
  const size = Math.min(100, Number(request.query.get('per_page') ?? 30));
  const page = Number(request.query.get('page') ?? 1);
  const part = all.slice((page - 1) * size, page * size);
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams(request.query);
    query.set('page', String(to));
    return `<${state.url}/api/v3${request.path}?${query.toString()}>; rel="${rel}"`;
  };
  const last = Math.max(1, Math.ceil(all.length / size));
  if (state.misleadsTo !== undefined) {
    const next = `${state.misleadsTo}/api/v3${request.path}?page=${page + 1}`;
    return {
      status: 200,
      body: key === undefined ? [] : { total_count: 0, [key]: [] },
      headers: { link: `<${next}>; rel="next"` },
    };
  }
  const links: Record<string, string> = page < last ? { link: `${link(page + 1, 'next')}, ${link(last, 'last')}` } : {};
  const body = key === undefined ? part : { total_count: all.length, [key]: part };
  return { status: 200, body, headers: links };
}
