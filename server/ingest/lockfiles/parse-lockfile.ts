import { type Ecosystem, LockedSet, type Lockfile, LockfileError, type LockfileKind } from './lockfile.ts';
import { readComposerLock, readPackageLock, readPnpmLock, readYarnBerryLock, readYarnLock } from './npm.ts';
import { readCargoLock, readGemfileLock, readGoMod } from './other.ts';
import { readPipfileLock, readPoetryLock, readRequirements, readUvLock } from './python.ts';

/** The largest lockfiles of real projects have a fifth of this. */
const lockfileCharsMax = 10_000_000;

const byName: Record<string, LockfileKind> = {
  'package-lock.json': 'package-lock',
  'npm-shrinkwrap.json': 'package-lock',
  'pnpm-lock.yaml': 'pnpm-lock',
  'poetry.lock': 'poetry-lock',
  'uv.lock': 'uv-lock',
  'pipfile.lock': 'pipfile-lock',
  'cargo.lock': 'cargo-lock',
  'go.mod': 'go-mod',
  'gemfile.lock': 'gemfile-lock',
  'gems.locked': 'gemfile-lock',
  'composer.lock': 'composer-lock',
};

const ecosystems: Record<LockfileKind, Ecosystem> = {
  'package-lock': 'npm',
  'pnpm-lock': 'npm',
  'yarn-lock': 'npm',
  'yarn-berry-lock': 'npm',
  requirements: 'pypi',
  'poetry-lock': 'pypi',
  'uv-lock': 'pypi',
  'pipfile-lock': 'pypi',
  'cargo-lock': 'crates',
  'go-mod': 'go',
  'gemfile-lock': 'rubygems',
  'composer-lock': 'packagist',
};

/** What a file of the kind has though it locks nothing. */
const marks: Record<LockfileKind, RegExp> = {
  'package-lock': /"(?:lockfileVersion|packages|dependencies)"/,
  'pnpm-lock': /^lockfileVersion:/m,
  'yarn-lock': /yarn lockfile v1/,
  'yarn-berry-lock': /^__metadata:/m,
  requirements: /^/,
  'poetry-lock': /^\[metadata\]/m,
  'uv-lock': /^version = /m,
  'pipfile-lock': /"_meta"/,
  'cargo-lock': /^(?:version = |\[\[package\]\])/m,
  'go-mod': /^module\s/m,
  'gemfile-lock': /^(?:GEM|GIT|PATH|PLATFORMS|DEPENDENCIES)\s*$/m,
  'composer-lock': /"(?:packages|content-hash)"/,
};
const noLockfile = 'names no library, and is not written as files of this name are. Give the file as it was made.';

/** Kind of a lockfile by its name, and by its text where one name has two forms; undefined for any other file. */
export function lockfileKindOf(fileName: string, text: string): LockfileKind | undefined {
  const name = fileName.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  if (name === 'yarn.lock') return /^__metadata:/m.test(text.slice(0, 10_000)) ? 'yarn-berry-lock' : 'yarn-lock';
  if (Object.hasOwn(byName, name)) return byName[name];
  return /^(?:[\w.-]*requirements[\w.-]*|constraints[\w.-]*)\.txt$/.test(name) ? 'requirements' : undefined;
}

/**
 * Reads which libraries at which versions a project uses. Throws `LockfileError` for a file that is none, is above 10 million
 * characters, or is damaged; single entries that name no version are reported under `problems`.
 */
export function parseLockfile(fileName: string, text: string): Lockfile {
  const kind = lockfileKindOf(fileName, text);
  const shown = fileName.split(/[\\/]/).at(-1)?.slice(0, 80) ?? '';
  if (kind === undefined) throw new LockfileError('lockfile-unknown', `${shown} isn't a supported lockfile.`);
  if (text.length > lockfileCharsMax)
    throw new LockfileError('lockfile-too-large', `${shown} is larger than ${lockfileCharsMax / 1_000_000} MB.`);
  if (text.includes('\0')) throw new LockfileError('lockfile-damaged', `${shown} is not saved as UTF-8. Save it so.`);
  if (/^<{7} /m.test(text) && /^>{7} /m.test(text)) {
    throw new LockfileError('lockfile-damaged', `${shown} has conflicts of a merge. Resolve them first.`);
  }
  const set = new LockedSet();
  read(kind, set, shown, text.replace(/^\ufeff/, ''));
  if (set.isEmpty && !marks[kind].test(text)) throw new LockfileError('lockfile-damaged', `${shown} ${noLockfile}`);
  const { problems, problemCount } = set;
  return { kind, ecosystem: ecosystems[kind], libraries: set.list(), problems, problemCount };
}

function read(kind: LockfileKind, set: LockedSet, fileName: string, text: string): void {
  switch (kind) {
    case 'package-lock':
      return readPackageLock(set, fileName, text);
    case 'pnpm-lock':
      return readPnpmLock(set, fileName, text);
    case 'yarn-lock':
      return readYarnLock(set, text);
    case 'yarn-berry-lock':
      return readYarnBerryLock(set, fileName, text);
    case 'requirements':
      return readRequirements(set, text);
    case 'poetry-lock':
      return readPoetryLock(set, fileName, text);
    case 'uv-lock':
      return readUvLock(set, fileName, text);
    case 'pipfile-lock':
      return readPipfileLock(set, fileName, text);
    case 'cargo-lock':
      return readCargoLock(set, fileName, text);
    case 'go-mod':
      return readGoMod(set, text);
    case 'gemfile-lock':
      return readGemfileLock(set, text);
    case 'composer-lock':
      return readComposerLock(set, fileName, text);
  }
}
