import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFixtureServer } from './conformance-fixture.ts';
import { contextOf } from './context-of.ts';
import { startMcpServer } from './mcp-server.ts';

const versions = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;

/** Scenarios that call the conformance tool's own tools, prompts and resources: run against the fixture server. */
const needFixtures =
  /^(?:tools-call-|prompts-get-|resources-(?:read|templates)-|json-schema-|server-stateless$|input-required-result-(?!unsupported|validate))/;
/**
 * Scenarios of features that this server does not offer: messages to the client before the response (logging, progress,
 * sampling, elicitation over a stream), subscriptions, parameters in headers, and questions to the client with a signed
 * state.
 */
const notOffered =
  /^(?:logging-set-level|resources-(?:un)?subscribe|tools-call-(?:with-logging|with-progress|sampling|elicitation)|elicitation-sep|http-custom-header-server-validation|input-required-result-(?!unsupported|validate))/;

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  errorMessage?: string;
}

const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Runs all scenarios of a version and returns the checks of each. */
async function runScenarios(url: string, version: string): Promise<Map<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = ['server', '--url', url, '--suite', 'all', '--spec-version', version, '--output-dir', folder];
  await new Promise<void>((resolve) => {
    // It exits with 1 if any scenario fails; its files say which.
    execFile(process.execPath, [program, ...args], { maxBuffer: 10_000_000 }, () => resolve());
  });
  return new Map(
    readdirSync(folder).map((name) => [
      name.replace(/^server-(.*)-\d{4}-\d\d-\d\dT.*$/, '$1'),
      JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    ]),
  );
}

function failuresIn(scenarios: Map<string, Check[]>, isOurs: (scenario: string) => boolean): string[] {
  return [...scenarios]
    .filter(([scenario]) => isOurs(scenario))
    .flatMap(([scenario, checks]) =>
      checks
        .filter((check) => check.status === 'FAILURE')
        .map((check) => `${scenario}: ${check.id}: ${check.errorMessage}`),
    );
}

test.each(versions)(
  'the product passes the applicable conformance scenarios of %s',
  async (version) => {
    const { url } = await startMcpServer(await contextOf(), { isOpen: true });
    const scenarios = await runScenarios(url, version);
    const applying = [...scenarios.keys()].filter((name) => !needFixtures.test(name) && !notOffered.test(name));
    expect(applying).toEqual(
      expect.arrayContaining(['completion-complete', 'prompts-list', 'resources-list', 'tools-list']),
    );
    expect(failuresIn(scenarios, (name) => applying.includes(name))).toEqual([]);
  },
  60_000,
);

test.each(versions)(
  'the transport passes the conformance scenarios of %s with their fixtures',
  async (version) => {
    const { url } = await startMcpServer(await contextOf(), { isOpen: true, createServer: createFixtureServer });
    const scenarios = await runScenarios(url, version);
    const carried = [...scenarios.keys()].filter((name) => needFixtures.test(name) && !notOffered.test(name));
    expect(carried.length).toBeGreaterThan(8);
    expect(failuresIn(scenarios, (name) => carried.includes(name))).toEqual([]);
  },
  60_000,
);
