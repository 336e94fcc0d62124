import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { configurationOf, setupSnippet } from '#contract/agent-setup.ts';
import { agents, transports } from '#contract/agents.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

const run = promisify(execFile);
/**
 * The folder that `npm install --prefix .cache/agents @anthropic-ai/claude-code @openai/codex opencode-ai …` installs
 * into.
 */
const bin = resolve('.cache/agents/node_modules/.bin');
const input = {
  publicUrl: 'http://127.0.0.1:9',
  productName: 'Lectern',
  stdio: ['/opt/my tools/lectern', 'mcp'],
  key: 'lec_secret',
};

const commands = agents.flatMap((agent) =>
  transports.flatMap((transport) => {
    const snippet = setupSnippet(agent, transport, input);
    const program = snippet?.language === 'shellscript' ? (snippet.code.split(' ')[0] ?? '') : '';
    return snippet === undefined || program === '' ? [] : [{ id: agent.id, agent, transport, snippet, program }];
  }),
);
const missing = [...new Set(commands.map(({ program }) => program))].filter((name) => !existsSync(join(bin, name)));
if (missing.length > 0) {
  process.stdout.write(`commands of ${missing.join(', ')} left out: install their packages in .cache/agents\n`);
}

describe.each(commands)('the command for $id over $transport', ({ agent, transport, snippet, program }) => {
  test.skipIf(missing.includes(program))(
    'makes the agent write the same configuration as "connect"',
    { timeout: 90_000 },
    async () => {
      const home = temporaryFolder();
      const PATH = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
      const env = { PATH, HOME: home, CODEX_HOME: undefined, CI: '1', TERM: 'dumb' };
      // Codex does not create its folder.
      const line = `mkdir -p ~/.codex; ${snippet.code} </dev/null`;
      await run('sh', ['-c', line], { env, cwd: home, timeout: 60_000 });
      const configuration = configurationOf(agent, transport, input);
      const paths = [agent.file?.path ?? '', ...(agent.file?.otherPaths ?? [])].map((path) => path.replace('~', home));
      const text = readFileSync(paths.find((path) => existsSync(path)) ?? '', 'utf8');
      expect(text).not.toContain('lec_secret');
      const written: unknown = agent.file?.format === 'toml' ? parseToml(text) : parseJson(text);
      const entry = configuration?.at.reduce<unknown>(
        (value, name) => (value as Record<string, unknown>)[name],
        written,
      );
      const { enabled: _, ...expected } = (configuration?.entry ?? {}) as Record<string, unknown>;
      expect(entry).toMatchObject(expected);
    },
  );
});
