import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes an installation's bill of materials (CycloneDX, JSON), optional packages included. npm generates it from the
 * lockfile alone, so the same lockfile gives the same bytes. Returns its path.
 */
export function writeBillOfMaterials(root, file) {
  const { stdout, stderr, status } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  writeFileSync(file, `${JSON.stringify(settled(JSON.parse(stdout), lockfile), null, 2)}\n`);
  return file;
}

/**
 * Reduces a bill to the packages installed for users, with a serial number derived from the lockfile and without a
 * timestamp. npm's own option to omit development packages also drops packages that both need.
 */
function settled(bill, lockfile) {
  const { packages } = JSON.parse(lockfile);
  const installed = new Set(
    Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  );
  const components = bill.components.filter(({ name, version }) => installed.has(`${name}@${version}`));
  const kept = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  const { timestamp: _, ...metadata } = bill.metadata;
  return { ...bill, serialNumber: `urn:uuid:${uuidOf(lockfile)}`, metadata, components, dependencies };
}

function uuidOf(bytes) {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}
