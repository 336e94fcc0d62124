import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { temporaryFolder } from '../services/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const deploy = (name: string) => join(root, 'deploy', name);
const programs = join(root, '.cache/checkers/bin');
const hasPrograms = existsSync(join(programs, 'promtool'));
if (!hasPrograms) {
  console.warn('.cache/checkers is missing: the files of deploy/ are not checked (CI=1 sh scripts/test-services.sh)');
}

/** Returns what the program says against the file, or an empty text. */
function faultsOf(program: string, args: string[], file: string): string {
  try {
    execFileSync(join(programs, program), [...args, file], { stdio: 'pipe', encoding: 'utf8' });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

/** Writes the dashboard's queries as rules, since there is a checker for those. */
function rulesOfDashboard(): string {
  const { panels } = JSON.parse(readFileSync(deploy('grafana/lectern.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const rules = panels.flatMap(({ targets }) => targets.map(({ expr }, at) => ({ record: `query_${at}`, expr })));
  const file = join(temporaryFolder(), 'dashboard.yaml');
  writeFileSync(file, stringify({ groups: rules.map((rule, at) => ({ name: `${at}`, rules: [rule] })) }));
  return file;
}

const kubernetes = ['config', 'ingress', 'namespace', 'server', 'worker'];
const wordOf: Record<string, string> = { config: 'data', namespace: 'metadata', ingress: 'ingressClassName' };
const files: [name: string, program: string, args: string[], word: string][] = [
  ...kubernetes.map((name): (typeof files)[number] => [
    `kubernetes/${name}.yaml`,
    'kubernetes-validate',
    ['--strict'],
    wordOf[name] ?? 'enableServiceLinks',
  ]),
  ['compose.yaml', 'check-jsonschema', ['--builtin-schema', 'vendor.compose-spec'], 'stop_grace_period'],
  ['prometheus/alerts.yaml', 'promtool', ['check', 'rules'], 'for'],
  ['grafana/lectern.json', 'promtool', ['check', 'rules'], 'rate'],
];

describe.skipIf(!hasPrograms)('with the published schemas', () => {
  test.each(files)('%s is valid, and %s refuses it with a misspelt word', (name, program, args, word) => {
    const file = name.startsWith('grafana') ? rulesOfDashboard() : deploy(name);
    expect(faultsOf(program, args, file)).toBe('');
    const misspelt = join(temporaryFolder(), 'misspelt.yaml');
    writeFileSync(misspelt, readFileSync(file, 'utf8').replaceAll(new RegExp(`\\b${word}(?=[:(])`, 'g'), `${word}x`));
    expect(faultsOf(program, args, misspelt)).toContain(`${word}x`);
  });
});
