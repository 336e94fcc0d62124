import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** A server that imitates all package registries on loopback, for `./lectern dev` and the tests. */
export interface PackageRegistry {
  url: string;
  /** The value for LECTERN_ALLOW_HOSTS. */
  host: string;
  /** The variables to configure on the server. */
  environment: Record<string, string>;
  /** Requested paths, in order. */
  asked: string[];
  /** Responses by path, besides the default for every library; undefined means not found. */
  answers: Map<string, unknown>;
  /** Every request fails with this status. */
  brokenStatus: number | undefined;
  stop(): Promise<void>;
}

const kinds = ['npm', 'pypi', 'crates', 'go', 'rubygems', 'packagist'] as const;

/** Starts the registry; a library without its own response is documented on a page of this server. */
export async function startPackageRegistry(port = 0): Promise<PackageRegistry> {
  const server = createServer((request, response) => answer(registry, request.url ?? '/', response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const host = `127.0.0.1:${address.port}`;
  const url = `http://${host}`;
  const registry: PackageRegistry = {
    ...{ url, host, asked: [], answers: new Map(), brokenStatus: undefined },
    environment: {
      LECTERN_REGISTRIES: kinds.map((kind) => `${kind}=${url}/${kind}`).join(','),
      LECTERN_ALLOW_HOSTS: host,
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return registry;
}

function answer(registry: PackageRegistry, path: string, response: ServerResponse): void {
  registry.asked.push(path);
  if (registry.brokenStatus !== undefined) return void response.writeHead(registry.brokenStatus).end();
  const own = registry.answers.get(path);
  if (own !== undefined) return sendJson(response, own);
  if (registry.answers.has(path)) return void response.writeHead(404).end('{}');
  const page = /^\/docs\/([^/]+)\/([^/]+)\//.exec(path);
  if (page !== null) return sendPage(response, decodeURIComponent(page[1] ?? ''), decodeURIComponent(page[2] ?? ''));
  const npm = /^\/npm\/((?:@[^/]+\/|@[^/]+%2[fF])?[^/]+)\/([^/]+)$/.exec(path);
  const pypi = /^\/pypi\/pypi\/([^/]+)\/([^/]+)\/json$/.exec(path);
  const gem = /^\/rubygems\/api\/v2\/rubygems\/([^/]+)\/versions\/(.+)\.json$/.exec(path);
  const documentation = (found: RegExpExecArray): string => `${registry.url}/docs/${found[1]}/${found[2]}/`;
  if (npm !== null) return sendJson(response, { homepage: documentation(npm) });
  if (pypi !== null) return sendJson(response, { info: { project_urls: { Documentation: documentation(pypi) } } });
  if (gem !== null) return sendJson(response, { documentation_uri: documentation(gem) });
  response.writeHead(404).end('{}');
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendPage(response: ServerResponse, name: string, version: string): void {
  const title = `${name} ${version}`.replace(/[<>&]/g, '');
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(
    `<!doctype html><title>${title}</title><main><h1>${title}</h1><h2 id="start">Getting started</h2><p>Install ${title} and call its start function once, before anything else.</p></main>`,
  );
}
