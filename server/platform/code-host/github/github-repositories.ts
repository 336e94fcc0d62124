import type { Octokit } from '@octokit/core';
import { type CodeHost, CodeHostError, type HostList, type HostRepository } from '../code-host.ts';
import {
  accountAnswer,
  hookAnswer,
  hooksAnswer,
  installationOf,
  refAnswer,
  refTargetAnswer,
  repositoryOf,
  treeAnswer,
} from './github-answers.ts';
import { asking, type GithubParts, githubClient } from './github-client.ts';

const perPage = 100;
/** Most names searched for a text; in a repository with more, other names must be typed in full. */
const refsLookedAt = 2_000;

type People = Pick<
  CodeHost,
  'whoAmI' | 'listRepositories' | 'findRepository' | 'createWebhook' | 'deleteWebhook' | 'listInstallations'
>;
type Ask = <T>(what: string, token: string, work: (octokit: Octokit) => Promise<T>) => Promise<T>;

function askerOf(parts: GithubParts): Ask {
  return (what, token, work) => asking(parts, what, async () => work(await githubClient(parts, token)));
}

/** Creates the calls made with a person's token. */
export function githubRepositories(url: string, parts: GithubParts): People {
  const ask = askerOf(parts);
  return {
    whoAmI: (token) =>
      ask('who is connected', token, async (octokit) => {
        const { data, headers } = await octokit.request('GET /user');
        const { id, login, html_url } = accountAnswer.parse(data);
        const scopes = String(headers['x-oauth-scopes'] ?? '')
          .split(',')
          .map((scope) => scope.trim())
          .filter((scope) => scope !== '');
        return { accountId: String(id), login, url: html_url, scopes };
      }),
    listRepositories: (method, token, max) =>
      ask('listing repositories', token, async (octokit) => {
        const list = await (method === 'oauth' ? ownRepositories(octokit, max) : installedRepositories(octokit, max));
        return { found: list.found.map((one) => repositoryOf(one, url)).sort(byLastPush), isCut: list.isCut };
      }),
    findRepository: (token, named) =>
      ask('finding a repository', token, async (octokit) => {
        // GitHub has a separate, undocumented path for look-ups by id.
        const { data } =
          'fullName' in named
            ? await octokit.request('GET /repos/{owner}/{repo}', partsOf(named.fullName))
            : await octokit.request('GET /repositories/{id}', { id: named.repositoryId });
        return repositoryOf(data, url);
      }),
    createWebhook: (token, fullName, hook) =>
      ask('asking for events', token, async (octokit) => {
        const route = '/repos/{owner}/{repo}/hooks';
        const wanted = {
          ...partsOf(fullName),
          events: ['push', 'repository'],
          config: { url: hook.url, secret: hook.secret, content_type: 'json', insecure_ssl: '0' },
        };
        const { data: hooks } = await octokit.request(`GET ${route}`, { ...partsOf(fullName), per_page: perPage });
        // GitHub accepts an address only once, and a leftover webhook may have another secret.
        const left = hooksAnswer.parse(hooks).find(({ config }) => config.url === hook.url);
        const { data } =
          left === undefined
            ? await octokit.request(`POST ${route}`, wanted)
            : await octokit.request(`PATCH ${route}/{hook_id}`, { ...wanted, hook_id: left.id });
        return String(hookAnswer.parse(data).id);
      }).catch((error: unknown) => {
        // The person is not an admin there (403, 404), or GitHub cannot deliver to the address (422): the repository is
        // then checked on a schedule.
        const isNo = error instanceof CodeHostError && ['forbidden', 'not-found', 'refused'].includes(error.fault);
        if (isNo) return undefined;
        throw error;
      }),
    deleteWebhook: (token, fullName, webhookId) =>
      ask('ending events', token, async (octokit) => {
        const route = 'DELETE /repos/{owner}/{repo}/hooks/{hook_id}';
        await octokit.request(route, { ...partsOf(fullName), hook_id: Number(webhookId) });
      }).catch((error: unknown) => {
        if (!(error instanceof CodeHostError) || error.fault !== 'not-found') throw error;
      }),
    listInstallations: (token) =>
      ask('listing installations', token, async (octokit) => {
        const { found } = await pages(octokit, 'GET /user/installations', {}, 1_000);
        return found.map(installationOf);
      }),
  };
}

/** Creates the calls for branches, tags and files, with any token that can read the repository. */
export function githubContents(parts: GithubParts): Pick<CodeHost, 'listRefs' | 'hasRef' | 'listFiles'> {
  const ask = askerOf(parts);
  return {
    listRefs: (token, fullName, { kind, query, max }) =>
      ask(`listing ${kind} names`, token, async (octokit) => {
        const route = kind === 'branch' ? 'GET /repos/{owner}/{repo}/branches' : 'GET /repos/{owner}/{repo}/tags';
        const list = await pages(octokit, route, partsOf(fullName), refsLookedAt);
        const wanted = query.toLowerCase();
        const names = list.found
          .map((one) => refAnswer.parse(one).name)
          .filter((name) => name.toLowerCase().includes(wanted));
        return { found: names.slice(0, max), isCut: list.isCut || names.length > max };
      }),
    hasRef: (token, fullName, { kind, name }) =>
      ask(`looking for a ${kind}`, token, async (octokit) => {
        // Git does not allow such names, and `..` would lead to another path of the API.
        if (name.split('/').some((part) => ['', '.', '..'].includes(part))) return false;
        return octokit.request(refRoute({ kind, name }), partsOf(fullName)).then(
          () => true,
          (error: unknown) => {
            // 409 means that the repository has no commits yet.
            const status = (error as { status?: number }).status;
            if (status === 404 || status === 409) return false;
            throw error;
          },
        );
      }),
    listFiles: (token, fullName, { kind, name }) =>
      ask('listing files', token, async (octokit) => {
        const parts = partsOf(fullName);
        const ref = refTargetAnswer.parse((await octokit.request(refRoute({ kind, name }), parts)).data);
        const route = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}';
        const { data } = await octokit.request(route, { ...parts, tree_sha: ref.object.sha, recursive: '1' });
        const said = treeAnswer.parse(data);
        const found = said.tree.filter(({ type }) => type === 'blob').map(({ path }) => path);
        return { found, isCut: said.truncated };
      }),
  };
}

function ownRepositories(octokit: Octokit, max: number): Promise<HostList<unknown>> {
  return pages(
    octokit,
    'GET /user/repos',
    { sort: 'pushed', affiliation: 'owner,collaborator,organization_member' },
    max,
  );
}

/** Returns the repositories that both the person and the App may read. */
async function installedRepositories(octokit: Octokit, max: number): Promise<HostList<unknown>> {
  const all: HostList<unknown> = { found: [], isCut: false };
  for (const answer of (await pages(octokit, 'GET /user/installations', {}, 1_000)).found) {
    const { installationId, isSuspended } = installationOf(answer);
    if (isSuspended) continue;
    const route = 'GET /user/installations/{installation_id}/repositories';
    const part = await pages(octokit, route, { installation_id: Number(installationId) }, max - all.found.length);
    all.found.push(...part.found);
    all.isCut ||= part.isCut;
    if (all.found.length >= max) break;
  }
  return all;
}

/** Reads the pages of a list until there are more than `max` items, or after twice the pages needed for them. */
async function pages(
  octokit: Octokit,
  route: string,
  parameters: Record<string, unknown>,
  max: number,
): Promise<HostList<unknown>> {
  const { composePaginateRest } = await import('@octokit/plugin-paginate-rest');
  const found: unknown[] = [];
  let pagesLeft = 2 * Math.ceil(max / perPage) + 1;
  const iterator = composePaginateRest.iterator(octokit, route, { ...parameters, per_page: perPage });
  for await (const { data } of iterator as AsyncIterable<{ data: unknown[] }>) {
    found.push(...data);
    pagesLeft -= 1;
    if (found.length > max || pagesLeft === 0) return { found: found.slice(0, max), isCut: true };
  }
  return { found, isCut: false };
}

/** Encodes the parts of a ref's name, which may contain slashes. */
function refRoute({ kind, name }: { kind: 'branch' | 'tag'; name: string }): string {
  const parts = [kind === 'branch' ? 'heads' : 'tags', ...name.split('/')];
  return `GET /repos/{owner}/{repo}/git/ref/${parts.map(encodeURIComponent).join('/')}`;
}

function partsOf(fullName: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = fullName.split('/');
  return { owner, repo };
}

function byLastPush(one: HostRepository, other: HostRepository): number {
  return (other.pushedAt ?? 0) - (one.pushedAt ?? 0) || one.fullName.localeCompare(other.fullName);
}
