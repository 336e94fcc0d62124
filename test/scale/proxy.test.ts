import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isServed } from '#server/http/paths-of-roles.ts';

const configuration = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8');

/** Where the proxy of the compose file sends a request, as nginx reads its locations and its map. */
function upstreamOf(method: string, path: string, accept: string): string | undefined {
  const locations = [...configuration.matchAll(/^ *location (=|~) (\S+) \{ proxy_pass http:\/\/(\S+); \}$/gm)];
  const found = locations.find(([, kind, place = '']) =>
    kind === '=' ? place === path : new RegExp(place).test(path),
  );
  if (found === undefined) return /location \/ \{ proxy_pass http:\/\/(\w+); \}/.exec(configuration)?.[1];
  if (!found[3]?.startsWith('$')) return found[3];
  const [, pattern = ''] = /"~(.+)" web;/.exec(configuration) ?? [];
  return new RegExp(pattern).test(`${method}:${accept}`) ? 'web' : 'mcp';
}

test('the proxy of the compose file sends each request to processes of the role that answers it', () => {
  const paths = ['/mcp', '/mcp/', '/mcp/x', '/search_documentation', '/read', '/', '/api/search', '/status'];
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      for (const accept of ['*/*', 'application/json, text/event-stream', 'text/html,*/*;q=0.8', 'text/markdown']) {
        const isForPage = (method === 'GET' || method === 'HEAD') && accept.startsWith('text/');
        const role = upstreamOf(method, path, accept);
        const request = { path, isForPage: isForPage && path.startsWith('/mcp') };
        expect([method, path, accept, role, isServed([role as 'web' | 'mcp'], request)]).toEqual([
          ...[method, path, accept, role],
          true,
        ]);
      }
    }
  }
});
