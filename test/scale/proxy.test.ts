import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningInstallation, serve } from '#server/cli/serve.ts';
import { isServed } from '#server/http/admission.ts';
import type { Role } from '#server/platform/config/config-variables.ts';
import { publicPages } from '../../web/lib/public-pages.ts';
import { configOf } from '../http/http-rig.ts';
import { newDataFolder } from '../library/server-process.ts';

const configuration = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8');
const accepts = ['*/*', 'application/json, text/event-stream', 'text/html,*/*;q=0.8', 'text/markdown'];
/** Addresses that are in no table of calls. */
const otherAddresses = [
  ...[
    '/mcp',
    '/mcp/',
    '/mcp/x',
    '/read',
    '/read/',
    '/read?url=x',
    '/search_documentation',
    '/healthz',
    '/nothing-here',
  ],
  ...['/v2/libs/search', '/v2/context', '/api/v2/libs/search', '/api/v2/context'],
  ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp', '/.well-known/x'],
  ...['/.well-known/oauth-authorization-server', '/oauth/authorize', '/oauth/token', '/oauth/consent'],
  ...['/webhooks/stripe', '/webhooks/repository/x', '/callable/x', '/api/nothing-here', '/admin/nothing-here'],
  ...['/document/x', '/docs', '/docs/index.md', '/mcp.md', '/read.md', '/status.atom', '/sitemap.xml', '/llms.txt'],
  ...['/robots.txt', '/login', '/search', '/assets/nothing-here.js'],
];

/** Returns the role to which the compose file's proxy sends a request, reading its locations and map like nginx. */
function upstreamOf(method: string, address: string, accept: string): Role {
  const [path = ''] = address.split('?');
  const locations = [
    ...configuration.matchAll(/^ *location (?:(=|~) )?(\S+) \{ proxy_pass http:\/\/\$(\w+):7331; \}$/gm),
  ];
  const found = locations.find(([, kind, place = '']) => {
    return kind === undefined ? path.startsWith(place) : kind === '=' ? place === path : new RegExp(place).test(path);
  });
  if (found?.[3] !== 'agent_upstream') return found?.[3] as Role;
  const [, pattern = ''] = /"~(.+)" web;/.exec(configuration) ?? [];
  return new RegExp(pattern).test(`${method}:${accept}`) ? 'web' : 'mcp';
}

test('the compose file’s proxy sends each request to processes with the matching role', () => {
  const paths = ['/mcp', '/mcp/', '/mcp/x', '/search_documentation', '/read', '/', '/api/search', '/status'];
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      for (const accept of [...accepts, 'text/htmlx', 'application/xhtml+xml, text/html']) {
        const isForPage = ['GET', 'HEAD'].includes(method) && /\btext\/(html|markdown)\b/.test(accept);
        const role = upstreamOf(method, path, accept);
        expect([method, path, accept, isServed([role], { path, isForPage })]).toEqual([method, path, accept, true]);
      }
    }
  }
});

test('every address works behind the proxy as with one process that has all roles', async () => {
  const start = async (roles: Role[]) => {
    const running = await serve({ ...configOf(newDataFolder()), roles });
    onTestFinished(() => running.close());
    return running;
  };
  const whole = await start(['web', 'mcp', 'worker']);
  const parts: Partial<Record<Role, RunningInstallation>> = { web: await start(['web']), mcp: await start(['mcp']) };
  const told: string[] = [];
  for (const { method, address, accept } of requestsTo(whole)) {
    const role = upstreamOf(method, address, accept);
    const expected = await statusOf(whole.port, { method, address, accept });
    const status = await statusOf(parts[role]?.port ?? 0, { method, address, accept });
    if (status !== expected)
      told.push(`${method} ${address} for ${accept} of ${role}: ${status} instead of ${expected}`);
  }
  expect(told).toEqual([]);
});

/** Returns a request for each call and function, and each other address with every method and header that matters. */
function requestsTo(running: RunningInstallation): { method: string; address: string; accept: string }[] {
  const { calls, callables } = running.installation;
  const accept = 'application/json';
  const ofCalls = calls.map(({ endpoint }) => {
    return { method: endpoint.method, address: endpoint.path.replace(/:\w+/g, 'x'), accept };
  });
  const ofCallables = callables.map(({ name }) => ({ method: 'POST', address: `/callable/${name}`, accept }));
  const others = [...publicPages.map(({ path }) => path), ...otherAddresses];
  const ofOthers = others.flatMap((address) => [
    ...accepts.flatMap((wanted) => ['GET', 'HEAD'].map((method) => ({ method, address, accept: wanted }))),
    ...['POST', 'DELETE', 'OPTIONS'].map((method) => ({ method, address, accept })),
  ]);
  return [...ofCalls, ...ofCallables, ...ofOthers];
}

/** Returns the status without waiting for the end of the response, which may be a stream. */
function statusOf(port: number, asked: { method: string; address: string; accept: string }): Promise<number> {
  const { method, address: path, accept } = asked;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { accept }, agent: false }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', reject).end();
  });
}
