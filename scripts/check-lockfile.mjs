import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const permittedLicence =
  /^(?:\(?[\w.+-]+ OR )?\(?(0BSD|MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|MPL-2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|Python-2\.0|W3C[\w-]*)(\s+(OR|AND)\s+.*)?\)?$/;

/** Returns the inconsistencies between package.json and package-lock.json, one sentence each. */
export function checkLockfile(root) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const faults = [];

  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const wanted = manifest[group] ?? {};
    const locked = packages[''][group] ?? {};
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(locked)])) {
      if (wanted[name] !== locked[name]) {
        faults.push(`${name}: package.json has ${wanted[name]}, the lockfile ${locked[name]}; run npm install`);
      } else if (!/^\d/.test(wanted[name])) {
        faults.push(`${name}: "${wanted[name]}" is not an exact version`);
      }
    }
  }

  for (const [path, entry] of Object.entries(packages)) {
    if (path === '') continue;
    const name = path.replace(/^.*node_modules\//, '');
    if (!entry.inBundle && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) {
      faults.push(`${name}: no sha512 checksum in the lockfile`);
    }
    if (entry.resolved && !entry.resolved.startsWith('https://registry.npmjs.org/')) {
      faults.push(`${name}: comes from ${entry.resolved}, not from the npm registry`);
    }
    if (entry.dev) continue;
    // Optional packages too: npm installs them by default.
    if (entry.hasInstallScript) faults.push(`${name}: has an install script`);
    if (!permittedLicence.test(entry.license ?? '')) faults.push(`${name}: licence ${entry.license ?? 'not named'}`);
  }
  return faults;
}
