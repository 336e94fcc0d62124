import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectionEndpoints } from '#contract/connections.ts';
import { type HttpRig, openHttpRig } from '../http/http-rig.ts';
import { npmPackage } from '../services/npm-package.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

const run = promisify(execFile);

/** The clients' programs for Linux on x64, without the packages that only choose one. */
const programs = {
  'Claude Code': programIn(npmPackage('@anthropic-ai/claude-code-linux-x64', '2.1.332', { isLarge: true }), 'claude'),
  Codex: programIn(
    npmPackage('@openai/codex', '0.171.0-linux-x64', { isLarge: true }),
    'vendor/x86_64-unknown-linux-musl/bin/codex',
  ),
};
type Client = keyof typeof programs;
const clients = Object.keys(programs) as Client[];

function programIn(folder: string | undefined, path: string): string {
  return folder === undefined ? '' : join(folder, path);
}

/** Opens a client with its own home folder, which opens no browser. */
function openClient(client: Client, url: string) {
  const home = temporaryFolder();
  const codexHome = join(home, '.codex');
  mkdirSync(codexHome);
  const env = { PATH: process.env['PATH'], HOME: home, CODEX_HOME: codexHome, BROWSER: '/bin/true', TERM: 'xterm' };
  const program = programs[client];
  const add = client === 'Codex' ? ['mcp', 'add', 'docs', '--url', url] : ['mcp', 'add', '-t', 'http', 'docs', url];
  return {
    add: async () => {
      // Codex starts to sign in at once and would wait for it.
      const adding = run(program, add, { env, cwd: home, timeout: 8_000, killSignal: 'SIGKILL' });
      await adding.catch((error: unknown) => {
        if (client !== 'Codex') throw error;
      });
    },
    /** Claude Code signs in only on a terminal. */
    signIn: (): { child: ChildProcess; output: () => string } => {
      let text = '';
      const line = `stty cols 4000; ${program} mcp login docs`;
      const child = spawn('script', ['-qec', line, '/dev/null'], { env, cwd: home, stdio: ['pipe', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
      }
      onTestFinished(() => void child.kill('SIGKILL'));
      return { child, output: () => text };
    },
    list: async () => (await run(program, ['mcp', 'list'], { env, cwd: home, timeout: 60_000 })).stdout,
  };
}

async function allow(rig: HttpRig, toOpen: URL): Promise<URL> {
  const person = await rig.signIn();
  const redirected = await rig.send(toOpen.pathname + toOpen.search);
  const request = new URL(redirected.headers.get('location') ?? '', rig.url).search.slice(1);
  expect(await rig.ask(connectionEndpoints.describeConsent, { request }, person)).toMatchObject({ outcome: 'ask' });
  const input = { request, isAllowed: true, workspaceId: 'individual' };
  return new URL((await rig.ask(connectionEndpoints.answerConsent, input, person)).url);
}

describe.each(clients)('the installed client %s', (client) => {
  test.skipIf(programs[client] === '').each(['on', 'off'])(
    'signs in without a key, with client documents %s',
    { timeout: 180_000 },
    async (documents) => {
      const rig = await openHttpRig({ LECTERN_CLIENT_DOCUMENTS: documents });
      const program = openClient(client, `${rig.url}/mcp`);
      await program.add();
      const { output } = program.signIn();
      const address = new RegExp(`${rig.url}/oauth/authorize\\?[\\w%&=.~+-]+`);
      const toOpen = new URL(await until('the address to open is printed', () => address.exec(output())?.[0], 60_000));
      const clientId = toOpen.searchParams.get('client_id') ?? '';
      expect(clientId.startsWith('https://')).toBe(documents === 'on');
      const answered = await fetch(await allow(rig, toOpen));
      expect(answered.status).toBe(200);
      const { connections } = await until('the application is connected', async () => {
        const listed = await rig.ask(connectionEndpoints.listConnections, {});
        return listed.connections.length > 0 ? listed : undefined;
      });
      expect(connections[0]?.clientName).toMatch(client);
      expect(connections[0]?.vouchedBy).toBe(documents === 'on' ? new URL(clientId).host : null);
      if (client === 'Claude Code') expect(await program.list()).toMatch(/docs: .*Connected/);
    },
  );
});
