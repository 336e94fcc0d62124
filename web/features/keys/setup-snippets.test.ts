import { expect, test } from 'vitest';
import { agents, setupSnippet, transports } from './setup-snippets.ts';

const input = { publicUrl: 'http://127.0.0.1:7331', productName: 'Reading Desk', key: 'lec_abc' };

test.each(transports.flatMap((transport) => agents.map((agent) => ({ transport, agent }))))(
  'the key and the address are filled in for $agent over $transport',
  ({ transport, agent }) => {
    const { code, language } = setupSnippet({ ...input, transport, agent });
    expect(code).toContain('lec_abc');
    expect(code).toContain('http://127.0.0.1:7331');
    expect(code).toContain('reading-desk');
    expect(code.includes('/mcp"') || code.includes('/mcp ')).toBe(transport === 'http');
    if (language === 'json') expect(() => JSON.parse(code)).not.toThrow();
  },
);
