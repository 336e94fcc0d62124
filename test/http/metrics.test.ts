import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { cli, serveSite, startServer } from '../cli/run-cli.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { type HttpRig, openHttpRig, rawRequest } from './http-rig.ts';

const deploy = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

async function open(environment: Record<string, string> = {}): Promise<HttpRig> {
  const rig = await openHttpRig(environment);
  onTestFinished(() => rig.running.close());
  return rig;
}

function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((written) => written.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

test('requests, searches, runs and parts are counted, and the dashboard and alert rules use existing metrics', async () => {
  const rig = await open();
  const key = await rig.createKey();
  await rig.send('/api/search?query=warp', { headers: key.sender });
  await rig.send('/api/status');
  await expect.poll(async () => (await rawRequest(rig.port, { path: '/metrics' })).text).toContain('lectern_part_up{');
  const { status, headers, text } = await rawRequest(rig.port, { path: '/metrics' });
  expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain; version=0.0.4')]);
  expect(valueOf(text, 'lectern_http_requests_total{method="GET",route="/api/status",status="200"}')).toBe(1);
  expect(valueOf(text, 'lectern_call_seconds_count{kind="search",outcome="ok"}')).toBe(1);
  expect(valueOf(text, 'lectern_runs{state="waiting"}')).toBe(0);
  expect(valueOf(text, 'lectern_part_up{part="database"}')).toBe(1);
  expect(text).not.toContain(key.secret);
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const rules = parse(deploy('prometheus/alerts.yaml')) as { groups: { rules: { expr: string }[] }[] };
  const panels = (JSON.parse(deploy('grafana/lectern.json')) as { panels: { targets: { expr: string }[] }[] }).panels;
  const asked = [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(asked.length).toBeGreaterThan(15);
  for (const value of [0, 0.5]) expect(asked).toContain(`lectern_part_up == ${value}`);
  const manual = readFileSync(new URL('../../docs/operate/looking-after.md', import.meta.url), 'utf8');
  for (const name of known) if (name?.startsWith('lectern_')) expect(manual).toContain(`| \`${name}\` |`);
  for (const expr of asked) {
    for (const [name] of expr.matchAll(/\b(?:lectern|nodejs|process)_[a-z0-9_]+/g)) {
      expect(known, expr).toContain(name.replace(/_(bucket|count|sum)$/, ''));
    }
  }
});

test('metrics are sent to this machine and to callers with the token, and to no one behind a proxy', async () => {
  const token = 'a token of some length';
  const rig = await open({ LECTERN_METRICS_TOKEN: token.replaceAll(' ', '-') });
  const ask = async (headers: Record<string, string>) =>
    (await rawRequest(rig.port, { path: '/metrics', headers })).status;
  expect(await ask({})).toBe(200);
  expect(await ask({ 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  // A proxy on this machine that forwards only the requested host: here an address that the server is reachable at.
  expect(await ask({ host: '10.1.2.3' })).toBe(404);
  expect(await ask({ host: '10.1.2.3', authorization: 'Bearer another-token-of-some-length' })).toBe(404);
  expect(await ask({ host: '10.1.2.3', authorization: `Bearer ${token.replaceAll(' ', '-')}` })).toBe(200);
});

test('traces cover request, search, read and run, continue the caller’s trace, and contain no personal data', async () => {
  const bodies: Buffer[] = [];
  const collector = await serveSite((request, response) => {
    request.on('data', (part: Buffer) => bodies.push(part)).on('end', () => response.end());
  });
  const site = await serveSite((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>Warp</title><h1>Warp</h1><p>The shuttle carries the weft through the warp.</p>');
  });
  const folder = temporaryFolder();
  const { url, child, ended } = await startServer(folder, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, LECTERN_ALLOW_HOSTS: site.host },
  });
  const run = async (...args: string[]) => expect(await cli([...args, '--data', folder])).toMatchObject({ code: 0 });
  await run('index', site.origin, '--wait');
  await run('search', 'weft canaryword');
  await run('read', `${site.origin}/`);
  const traceId = 'c0ffee'.padEnd(32, '0');
  await fetch(`${url}/api/status`, { headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` } });
  child.kill('SIGTERM');
  await ended;
  const sent = Buffer.concat(bodies);
  const spans = ['index run', 'collect', 'build and publish', 'search', 'read'];
  const stages = ['find', 'rank', 'pack', 'charge', 'cut'].map((stage) => `lectern.${stage}_ms`);
  for (const name of [...spans, ...stages, 'GET /api/search']) expect(sent.includes(name), name).toBe(true);
  expect(sent.includes(Buffer.from(traceId, 'hex'))).toBe(true);
  expect(sent.includes('canaryword')).toBe(false);
}, 120_000);
