import { fieldsOf, listOf } from '../formats/parsed-data.ts';
import { type GitOrigin, gitOrigin, originOf, readToml, textOf } from './data.ts';
import type { LockedSet } from './lockfile.ts';

/** Sources that mean crates.io; other registries are possible. */
const cratesIo =
  /^(?:registry|sparse)(?:$|\+https:\/\/(?:github\.com\/rust-lang\/crates\.io-index|index\.crates\.io)(?:\/|$))/;

/** Reads Cargo.lock: packages without a source belong to the workspace, and their dependencies are direct. */
export function readCargoLock(set: LockedSet, fileName: string, text: string): void {
  const packages = listOf(readToml(fileName, text).package).map(fieldsOf);
  const direct = new Set<string>();
  for (const fields of packages)
    if (fields.source === undefined)
      for (const one of listOf(fields.dependencies)) direct.add(textOf(one).split(' ').slice(0, 2).join(' '));
  for (const fields of packages) {
    if (fields.source === undefined) continue;
    const name = textOf(fields.name);
    const version = textOf(fields.version);
    const source = textOf(fields.source);
    if (!cratesIo.test(source)) {
      set.elsewhere(`${name} ${version}`, gitOrigin(source));
      continue;
    }
    // The version is given only if several are locked.
    set.add(name, version, direct.has(name) || direct.has(`${name} ${version}`));
  }
}

/** Reads go.mod: required modules with replacements applied; Go versions must start with `v`. */
export function readGoMod(set: LockedSet, text: string): void {
  const required: { name: string; version: string; isDirect: boolean }[] = [];
  const replaced = new Map<string, { name: string; version: string }>();
  let block = '';
  for (const line of text.split(/\r?\n/)) {
    const bare = line.replace(/\/\/.*$/s, '').trim();
    if (bare === '') continue;
    if (bare === ')') block = '';
    const open = /^(\w+)\s*\($/.exec(bare);
    if (open) {
      block = open[1] as string;
      continue;
    }
    const statement = block === '' ? /^(require|replace)\s+(.*)$/s.exec(bare) : null;
    const kind = statement?.[1] ?? block;
    const words = (statement?.[2] ?? bare).split(/\s+/).map((word) => word.replace(/^["`]|["`]$/g, ''));
    if (kind === 'require' && /^v\d/.test(words[1] ?? ''))
      required.push({
        name: words[0] as string,
        version: words[1] as string,
        isDirect: !/\/\/\s*indirect\b/.test(line),
      });
    else if (kind === 'replace' && words.includes('=>')) {
      const at = words.indexOf('=>');
      replaced.set(words.slice(0, at).join(' '), { name: words[at + 1] ?? '', version: words[at + 2] ?? '' });
    }
  }
  for (const { name, version, isDirect } of required) {
    const other = replaced.get(`${name} ${version}`) ?? replaced.get(name);
    if (!other) set.add(name, version, isDirect);
    else if (other.version === '') set.problem(`${name} is replaced by the folder ${other.name.slice(0, 100)}.`);
    else set.add(other.name, other.version, isDirect);
  }
}

/** Reads Gemfile.lock: direct dependencies are under DEPENDENCIES; each repository has its own GIT section. */
export function readGemfileLock(set: LockedSet, text: string): void {
  const locked: [string, string][] = [];
  const direct = new Set<string>();
  let section = '';
  let origin: GitOrigin = { address: '' };
  for (const line of text.split(/\r?\n/)) {
    if (/^[A-Z]/.test(line)) {
      section = line.trim();
      origin = { address: '' };
    }
    const [, key = '', value = ''] = /^ {2}(remote|revision|tag|branch): (.*)$/.exec(line) ?? [];
    if (key !== '') origin[key === 'remote' ? 'address' : (key as keyof GitOrigin)] = value.trim();
    const [, name = '', version = ''] = /^ {4}(\S+) \(([^()]+)\)$/.exec(line) ?? [];
    if (name !== '' && section === 'GIT') set.elsewhere(`${name} ${version}`, originOf(origin));
    if (name !== '' && section === 'GEM') locked.push([name, withoutPlatform(version)]);
    if (section === 'DEPENDENCIES') direct.add(/^ {2}([^\s!]+)/.exec(line)?.[1] ?? '');
  }
  for (const [name, version] of locked) set.add(name, version, direct.has(name));
}

function withoutPlatform(version: string): string {
  return version.replace(/-(?:x86|x64|arm|aarch|java|universal|mingw|mswin|musl|ruby).*$/s, '');
}
