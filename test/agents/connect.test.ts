import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type AgentConfiguration, configurationOf } from '#contract/agent-setup.ts';
import { type AgentId, agentOf } from '#contract/agents.ts';
import { withEntry } from '#server/cli/edit-configuration.ts';
import { cli } from '../cli/run-cli.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

function entryOf(id: AgentId, key?: string): AgentConfiguration {
  const input = { publicUrl: 'https://docs.example', productName: 'Lectern', stdio: ['/opt/lectern', 'mcp'], key };
  const configuration = configurationOf(agentOf(id), 'http', input);
  if (configuration === undefined) throw new Error(`${id} takes no server`);
  return configuration;
}

const zed = `// My settings
{
    "theme": "One Dark", // as at work
    "context_servers": {
        /* kept */
        "other": { "command": "x", "args": [] },
    },
}
`;
const codex = `# mine
model = "o5" # the good one

[mcp_servers.other] # kept
command = "x"

# about projects
[projects."/srv"]
trust_level = "trusted"
`;
const goose = `# mine
GOOSE_MODEL: o5 # the good one
extensions:
  other:
    type: stdio # kept
    cmd: x
`;
const continues = `name: mine # kept
mcpServers:
  # first
  - name: other
    command: x
`;

describe.each([
  { id: 'zed', text: zed, kept: ['// My settings', '// as at work', '/* kept */', '"other"'] },
  { id: 'codex', text: codex, kept: ['# mine', '# the good one', '# kept', '# about projects', 'trust_level'] },
  { id: 'goose', text: goose, kept: ['# mine', '# the good one', '# kept'] },
  { id: 'continue', text: continues, kept: ['# kept', '# first', 'name: other'] },
] as const)('the configuration file of $id', ({ id, text, kept }) => {
  test('gets the server, keeps comments and other entries, and is restored on removal', () => {
    const configuration = entryOf(id);
    const once = withEntry(text, configuration);
    expect(once).toContain('https://docs.example/mcp');
    for (const part of kept) expect(once).toContain(part);
    expect(withEntry(once, configuration)).toBe(once);
    // White space and trailing commas mean nothing in JSON.
    const plain = (written: string) => (id === 'zed' ? written.replace(/\s+/g, '').replaceAll(',}', '}') : written);
    expect(plain(withEntry(once, configuration, true))).toBe(plain(text));
    const moved = { ...configuration, entry: { ...(configuration.entry as object), url: 'https://new.example/mcp' } };
    const changed = withEntry(once, moved);
    expect(changed).toContain('https://new.example/mcp');
    for (const part of kept) expect(changed).toContain(part);
    expect(withEntry(text, configuration, true)).toBe(text);
  });

  test('is created if missing and left alone if unreadable', () => {
    expect(withEntry('', entryOf(id))).toContain('https://docs.example/mcp');
    expect(() => withEntry('{ "a": [1, }\n= ]', entryOf(id))).toThrow(/it is not/);
  });
});

test('VS Code prompts for the key once, however often it is connected, and no longer after removal', () => {
  const configuration = entryOf('vscode', 'lec_secret');
  const other = '{\n  "inputs": [{ "id": "other", "type": "promptString" }]\n}\n';
  const twice = withEntry(withEntry(other, configuration), configuration);
  expect(twice).not.toContain('lec_secret');
  const inputsIn = (text: string) => (JSON.parse(text) as { inputs: { id: string }[] }).inputs.map(({ id }) => id);
  expect(inputsIn(twice)).toEqual(['other', 'lectern-api-key']);
  expect(inputsIn(withEntry(twice, configuration, true))).toEqual(['other']);
});

test('a TOML table written in another form is refused instead of being duplicated', () => {
  const inline = 'mcp_servers = { lectern = { url = "https://old.example/mcp" } }\n';
  expect(() => withEntry(inline, entryOf('codex'))).toThrow('not a separate table');
});

test('"connect" finds installed agents, asks, keeps backups and removes the server again', async () => {
  const home = temporaryFolder();
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text, { mode: 0o640 });
  };
  put('.codex/config.toml', codex);
  put('dotfiles/mcp.json', '{ "mcpServers": {} }\n');
  mkdirSync(join(home, '.cursor'));
  symlinkSync(join(home, 'dotfiles/mcp.json'), join(home, '.cursor/mcp.json'));
  put('.config/Claude/other.json', '{}');
  put('.config/goose/config.yaml', 'extensions: [\n');
  const env = { HOME: home, PATH: '/nowhere', LECTERN_DATA: join(home, 'data') };
  const textOf = (path: string) => readFileSync(join(home, path), 'utf8');

  const asked = await cli(['connect', 'codex'], { env });
  expect([asked.code, textOf('.codex/config.toml')]).toEqual([1, codex]);
  expect(asked.output).toContain('+ [mcp_servers.lectern]');

  const { output, errors, code } = await cli(['connect', '--yes'], { env });
  expect(code).toBe(0);
  expect(errors).toContain('Goose: ');
  expect(errors).toContain('it is not YAML');
  expect(parseToml(textOf('.codex/config.toml'))).toMatchObject({
    model: 'o5',
    mcp_servers: { lectern: { url: 'http://127.0.0.1:7331/mcp' } },
  });
  expect(lstatSync(join(home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true);
  expect(JSON.parse(textOf('dotfiles/mcp.json'))).toMatchObject({ mcpServers: { lectern: { type: 'http' } } });
  expect(statSync(join(home, '.codex/config.toml')).mode & 0o777).toBe(0o640);
  const desktop = JSON.parse(textOf('.config/Claude/claude_desktop_config.json')) as {
    mcpServers: { lectern: { args: string[]; env?: object } };
  };
  expect(desktop.mcpServers.lectern.args).toEqual(['mcp', '--data', join(home, 'data')]);
  expect(desktop.mcpServers.lectern.env).toBeUndefined();
  const backup = readdirSync(join(home, '.codex')).find((name) => name.endsWith('.bak'));
  expect(textOf(join('.codex', backup ?? ''))).toBe(codex);
  expect(output).toContain(backup);
  expect(output).not.toContain('Zed');

  expect((await cli(['connect', 'codex', '--yes'], { env })).output).toContain('already connected');
  await cli(['connect', '--remove', '--yes'], { env });
  expect(textOf('.codex/config.toml')).toBe(codex);
  expect(parseYaml(textOf('.config/goose/config.yaml').replace('[', '[]'))).toEqual({ extensions: [] });
  expect(existsSync(join(home, 'data'))).toBe(false);
});
