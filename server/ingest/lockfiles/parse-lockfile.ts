import { type Ecosystem, LockedSet, type Lockfile, LockfileError, type LockfileKind } from './lockfile.ts';
import { readComposerLock, readPackageLock, readPnpmLock, readYarnBerryLock, readYarnLock } from './npm.ts';
import { readCargoLock, readGemfileLock, readGoMod } from './other.ts';
import { readPipfileLock, readPoetryLock, readRequirements, readUvLock } from './python.ts';

/** Five times the size of the largest lockfiles in real projects. */
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

interface KindOfLockfile {
  ecosystem: Ecosystem;
  /** Text that a file of this kind contains even if it locks nothing. */
  mark: RegExp;
  read(set: LockedSet, fileName: string, text: string): void;
}

const kinds: Record<LockfileKind, KindOfLockfile> = {
  'package-lock': {
    ecosystem: 'npm',
    mark: /"(?:lockfileVersion|packages|dependencies)"/,
    read: readPackageLock,
  },
  'pnpm-lock': { ecosystem: 'npm', mark: /^lockfileVersion:/m, read: readPnpmLock },
  'yarn-lock': { ecosystem: 'npm', mark: /yarn lockfile v1/, read: (set, _, text) => readYarnLock(set, text) },
  'yarn-berry-lock': { ecosystem: 'npm', mark: /^__metadata:/m, read: readYarnBerryLock },
  requirements: { ecosystem: 'pypi', mark: /^/, read: (set, _, text) => readRequirements(set, text) },
  'poetry-lock': { ecosystem: 'pypi', mark: /^\[metadata\]/m, read: readPoetryLock },
  'uv-lock': { ecosystem: 'pypi', mark: /^version = /m, read: readUvLock },
  'pipfile-lock': { ecosystem: 'pypi', mark: /"_meta"/, read: readPipfileLock },
  'cargo-lock': { ecosystem: 'crates', mark: /^(?:version = |\[\[package\]\])/m, read: readCargoLock },
  'go-mod': { ecosystem: 'go', mark: /^module\s/m, read: (set, _, text) => readGoMod(set, text) },
  'gemfile-lock': {
    ecosystem: 'rubygems',
    mark: /^(?:GEM|GIT|PATH|PLATFORMS|DEPENDENCIES)\s*$/m,
    read: (set, _, text) => readGemfileLock(set, text),
  },
  'composer-lock': { ecosystem: 'packagist', mark: /"(?:packages|content-hash)"/, read: readComposerLock },
};

const noLockfile = 'names no library and does not look like a lockfile of this kind. Use the original file.';

/**
 * Returns a lockfile's kind from its name, and from its text if one name has two formats; undefined for any other file.
 */
export function lockfileKindOf(fileName: string, text: string): LockfileKind | undefined {
  const name = fileName.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  if (name === 'yarn.lock') return /^__metadata:/m.test(text.slice(0, 10_000)) ? 'yarn-berry-lock' : 'yarn-lock';
  if (Object.hasOwn(byName, name)) return byName[name];
  return /^(?:[\w.-]*requirements[\w.-]*|constraints[\w.-]*)\.txt$/.test(name) ? 'requirements' : undefined;
}

/**
 * Reads a project's libraries and their versions. Throws `LockfileError` for a file that is not a lockfile, exceeds 10
 * million characters or is damaged; entries without a version are reported in `problems`.
 */
export function parseLockfile(fileName: string, text: string): Lockfile {
  const kind = lockfileKindOf(fileName, text);
  const shown = fileName.split(/[\\/]/).at(-1)?.slice(0, 80) ?? '';
  if (kind === undefined) throw new LockfileError('lockfile-unknown', `${shown} isn't a supported lockfile.`);
  if (text.length > lockfileCharsMax)
    throw new LockfileError('lockfile-too-large', `${shown} is larger than ${lockfileCharsMax / 1_000_000} MB.`);
  if (text.includes('\0')) throw new LockfileError('lockfile-damaged', `${shown} is not UTF-8. Save it as UTF-8.`);
  if (/^<{7} /m.test(text) && /^>{7} /m.test(text)) {
    throw new LockfileError('lockfile-damaged', `${shown} has merge conflicts. Resolve them first.`);
  }
  const set = new LockedSet();
  const { ecosystem, mark, read } = kinds[kind];
  read(set, shown, text.replace(/^\ufeff/, ''));
  if (set.isEmpty && !mark.test(text)) throw new LockfileError('lockfile-damaged', `${shown} ${noLockfile}`);
  const { problems, problemCount } = set;
  return { kind, ecosystem, libraries: set.list(), problems, problemCount };
}
