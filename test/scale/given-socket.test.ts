import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findRunningServer, type RunningServer } from '#server/platform/running-server.ts';
import { entry, serveSite } from '../cli/run-cli.ts';
import { newDataFolder } from '../library/server-process.ts';
import { compiledFolder } from '../services/compiled.ts';
import { freePort } from '../services/free-port.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

const activate = '/usr/bin/systemd-socket-activate';
const hasSystemd = existsSync(activate);
if (!hasSystemd) {
  if (process.env.CI) throw new Error('systemd is not installed, and CI must test with it: apt-get install systemd');
  console.warn('systemd-socket-activate is not installed: its tests are left out (apt-get install systemd)');
}

/** Holds the sockets like systemd and restarts the server on them whenever it ends, until `stop`. */
function superviseOn(ports: number[], args: string[], env: Record<string, string> = {}) {
  const running = join(temporaryFolder(), 'running');
  writeFileSync(running, '');
  const program = [process.execPath, '--disable-warning=ExperimentalWarning', fileURLToPath(entry), ...args];
  // LISTEN_PID must be the started process's id; here that is the shell, which starts others.
  const loop = `while [ -e "$0" ]; do sh -c 'export LISTEN_PID=$$; exec "$@"' sh "$@"; echo "ended with $?"; sleep 0.1; done`;
  const listened = ports.flatMap((port) => ['-l', `127.0.0.1:${port}`]);
  const passed = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiledFolder, LECTERN_OWN_DOCS: 'off', ...env };
  const settings = Object.entries(passed).flatMap(([name, value]) => ['-E', `${name}=${value}`]);
  const child = spawn(activate, [...listened, ...settings, 'sh', '-c', loop, running, ...program]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => void (output += part));
  const stop = async (end: () => void) => {
    const ended = once(child, 'close');
    rmSync(running);
    end();
    await ended;
    return output;
  };
  return { stop, output: () => output };
}

function ask(url: string, agent: Agent | false, headers = {}): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const answered = async (response: IncomingMessage) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve({ status: response.statusCode ?? 0, body: String(Buffer.concat(parts)) });
    };
    get(url, { agent, headers }, (response) => void answered(response).catch(reject)).on('error', reject);
  });
}

describe.skipIf(!hasSystemd)('with a socket held by systemd', () => {
  test('a restart fails no request and completes those in progress', { timeout: 200_000 }, async () => {
    const port = await freePort();
    const data = newDataFolder();
    const url = `http://127.0.0.1:${port}`;
    const asked = new Set<string | undefined>();
    const site = await serveSite((request, response) => {
      asked.add(request.url);
      const page = '<title>Slow</title><main><h1>Slow</h1><p>It came in the end.</p></main>';
      setTimeout(() => response.end(page), 2_000);
    });
    const env = { LECTERN_ALLOW_HOSTS: site.host, LECTERN_DRAIN_SECONDS: '5', LOG_LEVEL: 'error' };
    const supervised = superviseOn([port], ['start', '--data', data, '--port', `${port}`], env);
    const serverNow = async () => (await findRunningServer(data))?.pid;
    onTestFinished(async () => {
      const pid = await serverNow();
      await supervised.stop(() => pid !== undefined && process.kill(pid, 'SIGTERM'));
    });
    // The first connection starts the server, and waits for it.
    await until('the socket is there', () => /Listening on/.test(supervised.output()));
    expect((await ask(`${url}/readyz`, false)).status).toBe(200);
    // It responds a moment before commands find it.
    await until('commands find the server', async () => (await serverNow()) !== undefined);

    const load = new AbortController();
    const failures: string[] = [];
    let answered = 0;
    const lane = async (agent: Agent | false) => {
      while (!load.signal.aborted) {
        const { status, body } = await ask(`${url}/api/status`, agent).catch((error) => ({
          status: 0,
          body: String(error),
        }));
        if (status === 200) answered += 1;
        else failures.push(`${status} ${body}`);
        await delay(10);
      }
    };
    const kept = new Agent({ keepAlive: true });
    const lanes = [false as const, false as const, kept, kept].map(lane);
    for (let restarts = 1; restarts <= 3; restarts += 1) {
      const { pid, operatorToken } = (await findRunningServer(data)) as RunningServer;
      const read = ask(`${url}/read?url=${encodeURIComponent(`${site.origin}/slow${restarts}`)}`, false, {
        authorization: `Bearer ${operatorToken}`,
      });
      await until('the page is being fetched', () => asked.has(`/slow${restarts}`), 60_000);
      process.kill(pid, 'SIGTERM');
      expect(await read).toMatchObject({ status: 200, body: expect.stringContaining('It came in the end.') });
      await until('another process serves', async () => ![undefined, pid].includes(await serverNow()), 60_000);
    }
    const before = answered;
    await until('it answers', () => answered > before + 20, 60_000);
    load.abort();
    await Promise.all(lanes);
    kept.destroy();
    expect(failures).toEqual([]);
    expect(supervised.output().match(/ended with (\d+)/g)).toEqual(Array(3).fill('ended with 0'));
  });

  test('the units in the manual are valid', () => {
    const folder = temporaryFolder();
    for (const name of ['lectern.service', 'lectern.socket']) {
      const unit = readFileSync(new URL(`../../deploy/systemd/${name}`, import.meta.url), 'utf8');
      writeFileSync(join(folder, name), unit.replaceAll('/opt/lectern/lectern', '/bin/true'));
    }
    const units = ['lectern.service', 'lectern.socket'].map((name) => join(folder, name));
    const verified = spawnSync('/usr/bin/systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    // Out of 100; the service without restrictions has 92.
    const exposure = ['security', '--offline=yes', '--threshold=25', units[0] ?? ''];
    expect(spawnSync('/usr/bin/systemd-analyze', exposure, { encoding: 'utf8' }).status).toBe(0);
  });

  test('two sockets, or a socket with another port, are refused with a sentence', async () => {
    const [one, other] = [await freePort(), await freePort()];
    for (const [ports, sentence] of [
      [[one, other], 'LISTEN_FDS is 2. Give lectern.socket one ListenStream.'],
      [[one], `The given socket has port ${one}, and the server's port is ${other}.`],
    ] as const) {
      const supervised = superviseOn([...ports], ['start', '--data', newDataFolder(), '--port', `${other}`]);
      await until('the socket is there', () => /Listening on/.test(supervised.output()));
      const waiting = ask(`http://127.0.0.1:${one}/`, false).catch(() => undefined);
      await until('it was refused', () => /ended with 1/.test(supervised.output()), 60_000);
      expect(await supervised.stop(() => undefined)).toContain(sentence);
      await waiting;
    }
  });
});
