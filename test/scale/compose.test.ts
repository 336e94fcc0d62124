import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '#server/platform/config/config.ts';

interface Service {
  environment?: Record<string, string>;
  restart?: string;
  depends_on?: Record<string, { condition: string }> | string[];
  healthcheck?: unknown;
}

const file = readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8');
const { services } = parse(file, { merge: true }) as { services: Record<string, Service> };
const secrets: Record<string, string> = {
  ...{ POSTGRES_PASSWORD: 'a1', S3_SECRET: 'b2' },
  LECTERN_SECRET: 'ab'.repeat(32),
};

function filledIn(value: string): string {
  return value.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name: string) => secrets[name] ?? '');
}

test('the services of the compose file have a valid configuration, wait for what they need and start again', () => {
  for (const name of ['web', 'mcp', 'worker']) {
    const { environment = {}, restart, depends_on } = services[name] ?? {};
    const filled = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filledIn(value)]));
    expect(loadConfig(filled).config.roles).toEqual([name]);
    expect([name, restart]).toEqual([name, 'unless-stopped']);
    expect(depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      bucket: { condition: 'service_completed_successfully' },
    });
  }
  expect(services['postgres']?.healthcheck).toBeDefined();
  for (const { depends_on = [] } of Object.values(services)) {
    const named = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const other of named) expect(Object.keys(services)).toContain(other);
  }
});
