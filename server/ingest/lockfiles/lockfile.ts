import { CodedError } from '#server/platform/coded-error.ts';

/** Where the names of a lockfile are registered. */
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

/** A library at the version a project uses. */
export interface LockedLibrary {
  /** As the registry writes it. */
  name: string;
  version: string;
  /** Asked for by the project itself; where the file does not say, what no other library asks for. */
  isDirect: boolean;
  /** Only to build or test the project; false where the file does not tell. */
  isDev: boolean;
}

/** What a lockfile says. */
export interface Lockfile {
  kind: LockfileKind;
  ecosystem: Ecosystem;
  /** Each name and version once, by name. */
  libraries: LockedLibrary[];
  /** Entries that were left out, as sentences; the first 100. */
  problems: string[];
  /** How many there are. */
  problemCount: number;
}

/** Why a file is no lockfile that can be read; its message is a sentence for people. */
export class LockfileError extends CodedError<
  'lockfile-unknown' | 'lockfile-too-large' | 'lockfile-damaged' | 'lockfiles-waiting'
> {
  override readonly name = 'LockfileError';
}

/** Collects what one file locks. */
export class LockedSet {
  readonly problems: string[] = [];
  problemCount = 0;
  private readonly libraries = new Map<string, LockedLibrary>();
  private readonly required = new Set<string>();
  private isFull = false;

  add(name: string, version: string, isDirect: boolean, isDev = false): void {
    if (name === '' || version === '') return;
    if (!isWritten(name, nameCharactersMax) || !isWritten(version, versionCharactersMax)) {
      this.problem(`"${name.slice(0, 80)}" at "${version.slice(0, 40)}" is nothing that a registry can have.`);
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

  /** Nothing was found that a lockfile could have meant. */
  get isEmpty(): boolean {
    return this.libraries.size === 0 && this.problems.length === 0;
  }

  /** Another library asks for `name`. */
  require(name: string): void {
    this.required.add(name);
  }

  /** Keeps a sentence about an entry, as it can be shown anywhere: without control characters and passwords of addresses. */
  problem(sentence: string): void {
    this.problemCount += 1;
    if (this.problems.length < problemsMax)
      this.problems.push(sentence.replace(/\p{C}/gu, '�').replace(/\/\/[^/@\s]+@/g, '//'));
  }

  /** Leaves out what the registry has no part in: under that name it may have something of a stranger. */
  elsewhere(name: string, from: string): void {
    this.problem(`${name.slice(0, 120)} is taken from ${from.slice(0, 150)} instead of the registry.`);
  }

  /** Says of every library whether another asks for it; for files that do not name what the project asks for. */
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
 * Returns true if registries could know this text as a name or a version: it becomes a part of addresses, and is shown on screens and
 * terminals.
 */
function isWritten(text: string, charactersMax: number): boolean {
  return text.length <= charactersMax && !/[\s\p{C}]|(?:^|\/)\.{1,2}(?:\/|$)/u.test(text);
}

const nameCharactersMax = 500;
const versionCharactersMax = 200;
const librariesMax = 50_000;
const problemsMax = 100;
