export { type Ecosystem, type LockedLibrary, type Lockfile, LockfileError, type LockfileKind } from './lockfile.ts';
export { lockfileKindOf, parseLockfile } from './parse-lockfile.ts';
export { type GivenLockfile, type ReadLockfile, readLockfiles } from './read-lockfiles.ts';
