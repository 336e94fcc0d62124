import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './services/temporary-folder.ts';

const root = join(import.meta.dirname, '..');
const script = (name: string): Promise<unknown> => import(new URL(`../scripts/${name}.mjs`, import.meta.url).href);
const { readAudit } = (await script('audit')) as {
  readAudit(text: string, levels: string[]): { left: string | undefined; faults: string[] };
};
const { checkLockfile } = (await script('check-lockfile')) as { checkLockfile(root: string): string[] };
const { writeBillOfMaterials } = (await script('sbom')) as { writeBillOfMaterials(root: string, file: string): string };
const levels = ['high', 'critical'];

interface Lockfile {
  packages: Record<string, { dev?: boolean; integrity?: string; license?: string; hasInstallScript?: boolean }>;
}

const readLockfile = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;

/** Returns the check's errors for a lockfile with one changed runtime dependency. */
function faultsWith(change: Partial<Lockfile['packages'][string]>): string[] {
  const folder = temporaryFolder();
  const lockfile = readLockfile();
  lockfile.packages['node_modules/hono'] = { ...lockfile.packages['node_modules/hono'], ...change };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile));
  writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')));
  return checkLockfile(folder);
}

test('runtime dependencies have sha512 checksums, permitted licences and no install scripts', () => {
  expect(faultsWith({})).toEqual([]);
  expect(faultsWith({ integrity: 'sha1-x' })).toEqual(['hono: no sha512 checksum in the lockfile']);
  expect(faultsWith({ hasInstallScript: true })).toEqual(['hono: has an install script']);
  expect(faultsWith({ license: 'GPL-3.0' })).toEqual(['hono: licence GPL-3.0']);
  expect(faultsWith({ license: undefined as unknown as string })).toEqual(['hono: licence not named']);
});

test('known vulnerabilities are reported, and a failed audit does not count as a clean one', () => {
  const vulnerabilities = {
    bad: { name: 'bad', severity: 'high', range: '<2' },
    minor: { name: 'minor', severity: 'low', range: '*' },
  };
  const report = JSON.stringify({ vulnerabilities });
  expect(readAudit(report, levels)).toEqual({ left: undefined, faults: ['bad <2: high; see "npm audit"'] });
  expect(readAudit('{"vulnerabilities":{}}', levels)).toEqual({ left: undefined, faults: [] });
  expect(readAudit('{"message":"405 Method Not Allowed"}', levels).left).toContain('405');
  expect(readAudit('', levels).left).toContain('did not answer');
});

test('the bill of materials lists every runtime dependency, and nothing else', () => {
  const file = writeBillOfMaterials(root, join(temporaryFolder(), 'bill.json'));
  const bill = JSON.parse(readFileSync(file, 'utf8')) as { components: { name: string; version: string }[] };
  const installed = Object.entries(readLockfile().packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const names = new Set(installed.map(([path]) => path.replace(/^.*node_modules\//, '')));
  expect(new Set(bill.components.map(({ name }) => name))).toEqual(names);
  expect(bill).not.toHaveProperty('metadata.timestamp');
});
