import { CodedError } from '#server/platform/coded-error.ts';

/** The registry of a lockfile's packages. */
export type Ecosystem = 'npm' | 'pypi' | 'crates' | 'go' | 'rubygems' | 'packagist';

export type LockfileKind =
  | 'package-lock'
  | 'pnpm-lock'
  | 'yarn-lock'
  | 'yarn-berry-lock'
  | 'requirements'
  | 'poetry-lock'
  | 'uv-lock'
  | 'pipfile-lock'
  | 'cargo-lock'
  | 'go-mod'
  | 'gemfile-lock'
  | 'composer-lock';

/** A library at the version that a project uses. */
export interface LockedLibrary {
  /** Spelled as in the registry. */
  name: string;
  version: string;
  /** True if the project itself requires it; if the file does not say, true if no other library requires it. */
  isDirect: boolean;
  /** True if only needed to build or test the project; false if the file does not say. */
  isDev: boolean;
}

export interface Lockfile {
  kind: LockfileKind;
  ecosystem: Ecosystem;
  /** Each name and version once, sorted by name. */
  libraries: LockedLibrary[];
  /** Sentences about skipped entries; the first 100. */
  problems: string[];
  /** Number of skipped entries. */
  problemCount: number;
}

/** Why a lockfile cannot be read; its message is a sentence for people. */
export class LockfileError extends CodedError<
  'lockfile-unknown' | 'lockfile-too-large' | 'lockfile-damaged' | 'lockfiles-waiting'
> {
  override readonly name = 'LockfileError';
}

/** Collects the libraries in one file. */
export class LockedSet {
  readonly problems: string[] = [];
  problemCount = 0;
  private readonly libraries = new Map<string, LockedLibrary>();
  private readonly required = new Set<string>();
  private isFull = false;

  add(name: string, version: string, isDirect: boolean, isDev = false): void {
    if (name === '' || version === '') return;
    if (!isWritten(name, nameCharactersMax) || !isWritten(version, versionCharactersMax)) {
      this.problem(`"${name.slice(0, 80)}" at "${version.slice(0, 40)}" cannot be a package in a registry.`);
      return;
    }
    const key = `${name}@${version}`;
    const known = this.libraries.get(key);
    if (known) {
      known.isDirect ||= isDirect;
      known.isDev &&= isDev;
    } else if (this.libraries.size >= librariesMax) {
      if (this.isFull) this.problemCount += 1;
      else this.problem(`Only the first ${librariesMax.toLocaleString('en')} libraries were read.`);
      this.isFull = true;
    } else this.libraries.set(key, { name, version, isDirect, isDev });
  }

  /** True if the file contained nothing that looks like a lockfile entry. */
  get isEmpty(): boolean {
    return this.libraries.size === 0 && this.problems.length === 0;
  }

  /** Notes that another library requires `name`. */
  require(name: string): void {
    this.required.add(name);
  }

  /** Adds a sentence about an entry, made safe to show: without control characters and passwords in addresses. */
  problem(sentence: string): void {
    this.problemCount += 1;
    if (this.problems.length < problemsMax)
      this.problems.push(sentence.replace(/\p{C}/gu, '�').replace(/\/\/[^/@\s]+@/g, '//'));
  }

  /** Reports a library that does not come from the registry, where a stranger may have registered its name. */
  elsewhere(name: string, from: string): void {
    this.problem(`${name.slice(0, 120)} comes from ${from.slice(0, 150)} instead of the registry.`);
  }

  /** Marks libraries as direct that no other one requires; for files that do not list direct dependencies. */
  inferDirect(): void {
    for (const library of this.libraries.values()) library.isDirect = !this.required.has(library.name);
  }

  list(): LockedLibrary[] {
    return [...this.libraries.values()].sort((a, b) =>
      a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1,
    );
  }
}

/**
 * Returns true if the text can be a name or version in a registry. It becomes part of addresses and is shown on screens
 * and terminals.
 */
function isWritten(text: string, charactersMax: number): boolean {
  return text.length <= charactersMax && !/[\s\p{C}]|(?:^|\/)\.{1,2}(?:\/|$)/u.test(text);
}

const nameCharactersMax = 500;
const versionCharactersMax = 200;
const librariesMax = 50_000;
const problemsMax = 100;
