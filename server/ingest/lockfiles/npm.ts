import { type Fields, fieldsOf, listOf } from '../formats/parsed-data.ts';
import { entriesOf, originOf, readJson, readYaml, textOf } from './data.ts';
import type { LockedSet } from './lockfile.ts';

const dependencyKeys = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Reads package-lock.json and npm-shrinkwrap.json, versions 1 to 3. */
export function readPackageLock(set: LockedSet, fileName: string, text: string): void {
  const root = readJson(fileName, text);
  if (root.packages === undefined) return readOldPackageLock(set, root);
  const direct = new Set<string>();
  for (const [path, value] of entriesOf(root.packages)) {
    if (path.includes('node_modules/')) continue;
    for (const key of dependencyKeys) for (const [name] of entriesOf(fieldsOf(value)[key])) direct.add(name);
  }
  for (const [path, value] of entriesOf(root.packages)) {
    const fields = fieldsOf(value);
    const at = path.lastIndexOf('node_modules/');
    if (at < 0 || fields.link === true) continue;
    const alias = path.slice(at + 'node_modules/'.length);
    const isTop = path.indexOf('node_modules/') === at;
    const from = textOf(fields.resolved);
    if (/^(?:git\b|file:|https:\/\/codeload\.github\.com\/)/.test(from)) set.elsewhere(alias, from);
    else set.add(textOf(fields.name) || alias, textOf(fields.version), isTop && direct.has(alias), fields.dev === true);
  }
}

function readOldPackageLock(set: LockedSet, root: Fields): void {
  const pending = entriesOf(root.dependencies);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [name, value] = next;
    const fields = fieldsOf(value);
    const version = textOf(fields.version);
    if (/^[0-9]/.test(version)) set.add(name, version, false, fields.dev === true);
    else set.elsewhere(name, version);
    for (const [required] of entriesOf(fields.requires)) set.require(required);
    pending.push(...entriesOf(fields.dependencies));
  }
  set.inferDirect();
}

/** Reads pnpm-lock.yaml, versions 5 to 9. */
export function readPnpmLock(set: LockedSet, fileName: string, text: string): void {
  const root = readYaml(fileName, text);
  const importers =
    root.importers === undefined ? [root] : entriesOf(root.importers).map(([, value]) => fieldsOf(value));
  const direct = new Map<string, 'run' | 'dev'>();
  for (const importer of importers) {
    for (const key of dependencyKeys) {
      for (const [name, value] of entriesOf(importer[key])) {
        const version = bareVersion(textOf(value) || textOf(fieldsOf(value).version));
        const id = /^\d/.test(version) ? `${name}@${version}` : version.replace(/^\/?(.+)[@/](\d[^@/]*)$/, '$1@$2');
        if (key !== 'devDependencies') direct.set(id, 'run');
        else if (!direct.has(id)) direct.set(id, 'dev');
      }
    }
  }
  for (const [key, value] of entriesOf({ ...fieldsOf(root.snapshots), ...fieldsOf(root.packages) })) {
    const match = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^@/]*)$/.exec(bareVersion(key));
    const use = match === null ? undefined : direct.get(`${match[1]}@${match[2]}`);
    const isDev = use === 'dev' || fieldsOf(value).dev === true;
    if (match) set.add(match[1] as string, match[2] as string, use !== undefined, isDev);
    else set.problem(`${key.slice(0, 120)} is not taken from the registry.`);
  }
}

/** Returns a version without the peers it was resolved with: `1.0.0(react@18.0.0)`, `1.0.0_react@18.0.0`. */
function bareVersion(text: string): string {
  const bracket = text.indexOf('(');
  const bare = bracket < 0 ? text : text.slice(0, bracket);
  return bare.replace(/(?<=\d[^_/@]*)_.*$/s, '');
}

/** Reads yarn.lock of Yarn 1, which has a custom format. */
export function readYarnLock(set: LockedSet, text: string): void {
  let name = '';
  let isInDependencies = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const indent = line.length - line.trimStart().length;
    if (indent === 0) {
      const range = line.replace(/:\s*$/, '').split(', ')[0] as string;
      name = nameOfRange(range);
      // `a@owner/name` is short for a GitHub repository.
      const isShort = /^[\w.-]+\/[\w.-]+(?:#|$)/.test(rangeOf(range));
      if (isShort || /@(?:file|link|portal|git|github|gitlab|bitbucket|ssh|https?)\b[^@]*:/.test(range)) {
        set.problem(`${range.replace(/"/g, '').slice(0, 120)} is not taken from the registry.`);
        name = '';
      }
      isInDependencies = false;
    } else if (indent === 2) {
      const version = /^\s+version:?\s+"?([^"\s]+)"?/.exec(line)?.[1];
      if (version !== undefined) set.add(name, version, false);
      isInDependencies = /^\s+(?:optionalD|d)ependencies:/.test(line);
    } else if (isInDependencies) set.require(/^\s+"?([^"\s]+)"?\s/.exec(line)?.[1] ?? '');
  }
  set.inferDirect();
}

/** Returns the package name: `"@scope/name@npm:^1.0.0"` → `@scope/name`; for an alias, the name of its target. */
function nameOfRange(range: string): string {
  const bare = range.replace(/"/g, '').trim();
  const alias = /@npm:((?:@[^/@]+\/)?[^/@]+)@/.exec(bare)?.[1];
  return alias ?? bare.slice(0, bare.indexOf('@', 1) < 0 ? undefined : bare.indexOf('@', 1));
}

/** Returns the requested version range: `^1.0.0`. */
function rangeOf(line: string): string {
  const bare = line.replace(/"/g, '').trim();
  const at = bare.indexOf('@', 1);
  return at < 0 ? '' : bare.slice(at + 1);
}

/** Reads yarn.lock of Yarn 2 and later. */
export function readYarnBerryLock(set: LockedSet, fileName: string, text: string): void {
  const entries = entriesOf(readYaml(fileName, text)).filter(([key]) => key !== '__metadata');
  const direct = new Set<string>();
  for (const [key, value] of entries) {
    if (!key.includes('@workspace:')) continue;
    for (const [name, range] of [
      ...entriesOf(fieldsOf(value).dependencies),
      ...entriesOf(fieldsOf(value).devDependencies),
    ])
      direct.add(`${name}@${textOf(range)}`).add(`${name}@npm:${textOf(range)}`);
  }
  for (const [key, value] of entries) {
    if (key.includes('@workspace:')) continue;
    const fields = fieldsOf(value);
    const resolution = /^((?:@[^/@]+\/)?[^/@]+)@npm:/.exec(textOf(fields.resolution))?.[1];
    if (resolution === undefined) set.problem(`${key.slice(0, 120)} is not taken from the registry.`);
    else
      set.add(
        resolution,
        textOf(fields.version),
        key.split(', ').some((range) => direct.has(range)),
      );
  }
}

/** Reads composer.lock; removes the `v` that some version tags have. */
export function readComposerLock(set: LockedSet, fileName: string, text: string): void {
  const root = readJson(fileName, text);
  const development = new Set(listOf(root['packages-dev']));
  for (const value of [...listOf(root.packages), ...development]) {
    const fields = fieldsOf(value);
    const [source, dist] = [fieldsOf(fields.source), fieldsOf(fields.dist)];
    // Packages from Packagist have a `notification-url`; those from the project's repositories do not.
    const isOwnRepository = source.type === 'git' && fields['notification-url'] === undefined;
    if (isOwnRepository) {
      set.elsewhere(textOf(fields.name), originOf({ address: textOf(source.url), revision: textOf(source.reference) }));
    } else if (dist.type === 'path') set.elsewhere(textOf(fields.name), textOf(dist.url));
    else set.add(textOf(fields.name), textOf(fields.version).replace(/^v(?=\d)/, ''), false, development.has(value));
    for (const [name] of entriesOf(fields.require)) set.require(name);
  }
  set.inferDirect();
}
