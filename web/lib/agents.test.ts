import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { agentIds, agentOf, agents, setupSnippet, transports } from './agents.ts';

const input = { publicUrl: 'https://docs.example', productName: 'Reading Desk', key: 'lec_abc' };

const snippets = agents.flatMap((agent) =>
  transports.flatMap((transport) => {
    const snippet = setupSnippet(agent, transport, input);
    return snippet === undefined ? [] : [{ id: agent.id, transport, ...snippet }];
  }),
);

/** The server's entry, wherever in the configuration it stands. */
function entryIn(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('reading-desk' in value) return value['reading-desk'] as Record<string, unknown>;
  return Object.values(value).map(entryIn).find(Boolean);
}

/** A command as a shell reads it. */
function wordsOf(command: string): string[] {
  return [...command.replaceAll('\\\n', ' ').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
}

test('every agent is in the table once, with a transport and a place for rules', () => {
  expect(agents.map(({ id }) => id).sort()).toEqual([...agentIds].sort());
  for (const agent of agents) {
    expect(agent.http ?? agent.stdio).toBeDefined();
    expect(agent.rulesFile + agent.next).not.toBe('');
  }
  expect(setupSnippet(agentOf('claude-desktop'), 'http', input)).toBeUndefined();
});

describe.each(snippets)('$id over $transport', ({ transport, language, code, link }) => {
  test('parses and holds address and key where the agent looks for them', () => {
    if (language === 'shellscript') {
      const words = wordsOf(code);
      expect(words.slice(0, 3)).toEqual(['claude', 'mcp', 'add']);
      expect(words).toContain('reading-desk');
      if (transport === 'http') {
        expect(words).toContain('https://docs.example/mcp');
        expect(words.at(-1)).toBe('Authorization: Bearer lec_abc');
      } else {
        expect(words).toContain('LECTERN_API_KEY=lec_abc');
        expect(words).toContain('LECTERN_URL=https://docs.example');
        expect(words.slice(words.indexOf('--') + 1)).toEqual(['/path/to/lectern/lectern', 'mcp']);
      }
      return;
    }
    const entry = entryIn(language === 'toml' ? parseToml(code) : JSON.parse(code)) ?? {};
    if (transport === 'http') {
      expect(entry['url'] ?? entry['httpUrl'] ?? entry['serverUrl']).toBe('https://docs.example/mcp');
      expect(entry['headers'] ?? entry['http_headers']).toEqual({ Authorization: 'Bearer lec_abc' });
    } else {
      expect([entry['command'], entry['args'] ?? []].flat(2)).toEqual(['/path/to/lectern/lectern', 'mcp']);
      expect(entry['env'] ?? entry['environment']).toEqual({
        LECTERN_URL: 'https://docs.example',
        LECTERN_API_KEY: 'lec_abc',
      });
    }
  });

  test.skipIf(link === undefined)('has a link that decodes to the same configuration', () => {
    const entry = entryIn(JSON.parse(code)) ?? {};
    const url = new URL(link ?? '');
    if (url.protocol === 'cursor:') {
      expect(link).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/);
      expect(url.searchParams.get('name')).toBe('reading-desk');
      expect(JSON.parse(atob(url.searchParams.get('config') ?? ''))).toEqual(entry);
    } else {
      expect(link).toMatch(/^vscode:mcp\/install\?/);
      expect(JSON.parse(decodeURIComponent(url.search.slice(1)))).toEqual({ name: 'reading-desk', ...entry });
    }
  });
});

test('what several agents read from one file says its transport: Claude Code leaves out a server that is an address alone', () => {
  for (const { id, transport, code } of snippets) {
    if (transport === 'http' && code.includes('"mcpServers"') && /"url"/.test(code))
      expect(code, id).toMatch(/"type": "[a-z-]*http/i);
  }
});

test('Cursor and VS Code have a link for both transports', () => {
  expect(snippets.filter(({ link }) => link !== undefined).map(({ id, transport }) => `${id} ${transport}`)).toEqual([
    'cursor http',
    'cursor stdio',
    'vscode http',
    'vscode stdio',
  ]);
});

test('an agent that signs in by itself is given the address and no key, over HTTP alone', () => {
  const keyless = { publicUrl: input.publicUrl, productName: input.productName };
  for (const agent of agents) {
    const snippet = setupSnippet(agent, 'http', keyless);
    expect(snippet === undefined).toBe(agent.http === undefined);
    expect(snippet?.code ?? input.publicUrl).toContain(input.publicUrl);
    expect(snippet?.code ?? '').not.toMatch(/Authorization|Bearer|headers|undefined|"oauth"/);
    expect(setupSnippet(agent, 'stdio', keyless)).toBeUndefined();
  }
});
