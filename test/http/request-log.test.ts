import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, startServer } from '../cli/run-cli.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

interface Line {
  msg: string;
  method?: string;
  route?: string;
  status?: number;
  ms?: number;
  requestId?: string;
  who?: string;
  code?: string;
}

test('each request is one log line, found by its id, and a start logs no sign-in link without a terminal', async () => {
  const data = join(temporaryFolder(), 'data');
  const server = await startServer(data, { env: { LOG_LEVEL: 'info' } });
  const lines = (): Line[] =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  const lineOf = async (response: Response) => {
    const requestId = response.headers.get('x-request-id');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    return until('the line is written', () =>
      lines().find((line) => line.requestId === requestId && line.msg === 'request'),
    );
  };
  const secret = (await cli(['key', 'create', 'one', '--data', data])).output.trim();
  const authorization = `Bearer ${secret}`;

  const status = await lineOf(await fetch(`${server.url}/api/status`));
  expect(status).toMatchObject({ method: 'GET', route: '/api/status', status: 200, ms: expect.any(Number) });
  expect(status.who).toBeUndefined();
  const own = await lineOf(await fetch(`${server.url}/api/search?query=warp`, { headers: { authorization } }));
  expect(own).toMatchObject({ route: '/api/search', who: expect.stringMatching(/^key:/) });
  const refused = await lineOf(
    await fetch(`${server.url}/api/search?query=warp`, { headers: { authorization: 'Bearer x' } }),
  );
  expect(refused).toMatchObject({ status: 401, code: expect.any(String) });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const agent = await lineOf(await fetch(`${server.url}/mcp`, { method: 'POST', headers, body }));
  expect(agent).toMatchObject({ method: 'POST', route: '/mcp', who: expect.stringMatching(/^key:/) });
  expect(server.output()).not.toContain(secret);

  // Standard output is not a terminal here.
  expect(server.output()).not.toMatch(/\/link\/|#token|sign-in\?/);
  expect(server.output()).toContain(`./lectern link --data ${data}`);
  expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({ version: expect.stringMatching(/^\d/) });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

test('--version prints the version', async () => {
  expect(await cli(['--version'])).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) });
});
