import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { configurationOf, setupSnippet } from '#contract/agent-setup.ts';
import { agentIds, agentOf, agents, transports } from '#contract/agents.ts';

const key = 'lec_abc';
const stdio = ["/home/o'brien/my tools/lectern", 'mcp'];
const keyless = { publicUrl: 'https://docs.example', productName: 'Reading Desk', stdio };
const input = { ...keyless, key };

const snippets = agents.flatMap((agent) =>
  transports.flatMap((transport) => {
    const snippet = setupSnippet(agent, transport, input);
    return snippet === undefined ? [] : [{ id: agent.id, agent, transport, ...snippet }];
  }),
);

const parsers: Record<string, (code: string) => unknown> = { json: JSON.parse, toml: parseToml, yaml: parseYaml };

/** Returns all leaf values of a value, at any depth. */
function leaves(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
}

/** Splits a command into words as sh does. */
function wordsOf(command: string): string[] {
  const words = command.replaceAll('\\\n', ' ').match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\(.)/g, '$1$2'));
}

test('lists every agent once, with a transport and a place for rules', () => {
  expect(agents.map(({ id }) => id).sort()).toEqual([...agentIds].sort());
  for (const agent of agents) {
    expect(agent.http ?? agent.stdio).toBeDefined();
    expect(agent.rulesFile + agent.next).not.toBe('');
  }
  expect(setupSnippet(agentOf('claude-desktop'), 'http', input)).toBeUndefined();
});

describe.each(snippets)(
  '$id over $transport',
  ({ agent, transport, language, code, environment, asksForKey, link }) => {
    const configuration = configurationOf(agent, transport, input);

    test('contains the address, program and key, or a reference to the key', () => {
      if (agent[transport]?.isKeyless) {
        expect(code).toBe('https://docs.example/mcp');
        return;
      }
      const held = language === 'shellscript' ? wordsOf(code) : leaves(parsers[language]?.(code));
      const says = held.join('\n');
      const shownKey = agent.reference?.isFor === 'always' ? agent.reference.key : key;
      expect(says).toContain(shownKey);
      expect(code.includes(key)).toBe(shownKey === key);
      expect([environment, asksForKey]).toEqual(
        shownKey === key
          ? [undefined, false]
          : agent.reference?.from === 'prompt'
            ? [undefined, true]
            : ['export LECTERN_API_KEY=lec_abc', false],
      );
      if (transport === 'http') {
        expect(says).toContain('https://docs.example/mcp');
      } else {
        const at = held.indexOf(stdio[0]);
        expect(held.slice(at, at + 2)).toEqual(stdio);
        expect(says).toMatch(/https:\/\/docs\.example$/m);
      }
    });

    test.skipIf(language === 'shellscript' || language === 'text')(
      'has the file path from which the agent reads it',
      () => {
        const whole = parsers[language]?.(code) as Record<string, unknown>;
        const found = configuration?.at.reduce<unknown>((value, name) => (value as typeof whole)[name], whole);
        expect(configuration?.isList ? (found as unknown[])[0] : found).toEqual(configuration?.entry);
      },
    );

    test.skipIf(link === undefined)('has a link that decodes to the same configuration', () => {
      const { protocol, searchParams, search } = new URL(link ?? '');
      if (protocol === 'vscode:') {
        const { name, inputs, ...entry } = JSON.parse(decodeURIComponent(search.slice(1))) as Record<string, unknown>;
        expect({ name, entry }).toEqual({ name: 'reading-desk', entry: configuration?.entry });
        expect(inputs).toMatchObject([{ id: 'lectern-api-key', password: true }]);
        return;
      }
      expect(searchParams.get('name')).toBe('reading-desk');
      expect(JSON.parse(atob(searchParams.get('config') ?? ''))).toEqual(configuration?.entry);
    });
  },
);

test('a file shared through a project never contains the key', () => {
  const shared = agents.flatMap((agent) =>
    transports.flatMap((transport) => setupSnippet(agent, transport, { ...input, scope: 'workspace' }) ?? []),
  );
  expect(shared.length).toBeGreaterThan(15);
  for (const { code } of shared) expect(code).not.toContain(key);
});

test('configuration shared by several agents names its transport, because Claude Code skips servers without one', () => {
  for (const id of ['cursor', 'claude-code', 'copilot-cli', 'kiro', 'other-http'] as const) {
    expect(configurationOf(agentOf(id), 'http', input)?.entry, id).toMatchObject({ type: 'http' });
  }
});

test('commands with scopes write to the user scope, not to the current folder', () => {
  for (const { code, id } of snippets) {
    if (/^(?:claude|gemini|qwen) mcp add/.test(code)) expect(code, id).toContain('--scope user');
  }
});

test('an agent that signs in by itself gets the address without a key, over HTTP only', () => {
  for (const agent of agents) {
    const snippet = setupSnippet(agent, 'http', keyless);
    expect(snippet === undefined).toBe(agent.http === undefined);
    expect(snippet?.code ?? keyless.publicUrl).toContain(keyless.publicUrl);
    expect(snippet?.code ?? '').not.toMatch(/Authorization|Bearer|headers|undefined|inputs|API_KEY|bearer_token/);
    expect(setupSnippet(agent, 'stdio', keyless)).toBeUndefined();
  }
});

test('clients that cannot send a header get an address that contains the key', () => {
  expect(setupSnippet(agentOf('other-http'), 'http', input)?.keyedAddress).toBe(
    'https://docs.example/mcp?apiKey=lec_abc',
  );
});
