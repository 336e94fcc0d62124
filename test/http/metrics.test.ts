import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
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

test('requests, searches, runs and parts are counted, and the dashboard and the alert rules name what is there', async () => {
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
  for (const expr of asked) {
    for (const [name] of expr.matchAll(/\b(?:lectern|nodejs|process)_[a-z0-9_]+/g)) {
      expect(known, expr).toContain(name.replace(/_(bucket|count|sum)$/, ''));
    }
  }
});

test('metrics are told to this machine and to whoever shows the token, and to no one behind a proxy', async () => {
  const token = 'a token of some length';
  const rig = await open({ LECTERN_METRICS_TOKEN: token.replaceAll(' ', '-') });
  const ask = async (headers: Record<string, string>) =>
    (await rawRequest(rig.port, { path: '/metrics', headers })).status;
  expect(await ask({})).toBe(200);
  expect(await ask({ 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  // A proxy of this machine that says nothing but which host was asked for: here an address that the server goes by.
  expect(await ask({ host: '10.1.2.3' })).toBe(404);
  expect(await ask({ host: '10.1.2.3', authorization: 'Bearer another-token-of-some-length' })).toBe(404);
  expect(await ask({ host: '10.1.2.3', authorization: `Bearer ${token.replaceAll(' ', '-')}` })).toBe(200);
});
