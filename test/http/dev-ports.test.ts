import { expect, onTestFinished, test } from 'vitest';
import { openHttpRig } from './http-rig.ts';
import { listen } from './live-reading.ts';

type Ports = Record<string, number>;
const script = new URL('../../scripts/dev-ports.mjs', import.meta.url).href;
const { openDevPorts } = (await import(script)) as {
  openDevPorts(serverPort: number, ports: Ports): Promise<{ ports: Ports; close(): void }>;
};

test('in development the server also listens on a port for each part, streams included', async () => {
  const rig = await openHttpRig();
  const { ports, close } = await openDevPorts(rig.port, { identity: 0, 'live reads': 0, functions: 0 });
  onTestFinished(close);
  expect(new Set([...Object.values(ports), rig.port]).size).toBe(4);
  for (const port of Object.values(ports)) {
    const url = `http://127.0.0.1:${port}`;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    (await listen(url, rig.operator)).leave();
  }
});

test('a port that is in use is skipped', async () => {
  const rig = await openHttpRig();
  const { ports, close } = await openDevPorts(rig.port, { identity: rig.port, functions: 0 });
  onTestFinished(close);
  expect(Object.keys(ports)).toEqual(['functions']);
});
