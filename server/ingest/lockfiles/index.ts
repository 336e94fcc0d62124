export { type Ecosystem, type LockedLibrary, type Lockfile, LockfileError, type LockfileKind } from './lockfile.ts';
export { lockfileKindOf, parseLockfile } from './parse-lockfile.ts';
