import { type Dirent, existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutputOf } from '#contract/endpoint.ts';
import { libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import {
  ecosystemLabels,
  isForeignFolder,
  isLockfileName,
  type Pin,
  type PinnedLibrary,
  type Profile,
  type ProfileLockfile,
  profileEndpoints,
} from '#contract/profile.ts';
import {
  type Call,
  type Command,
  calling,
  exitCodes,
  type Invocation,
  jsonOption,
  printJson,
  printLine,
  printNote,
} from './command.ts';
import { countOf, table } from './table.ts';
import { flag, text, UsageError } from './usage.ts';

const pollEveryMs = 500;
/** Most problems shown per lockfile. */
const problemsTold = 5;

export const profileCommand: Command = {
  shape: {
    name: 'profile',
    isRemote: true,
    positionals: [],
    optional: 'folder',
    summary: "Pins libraries to the versions in a project's lockfiles, and shows which are indexed.",
    details:
      'Reads the lockfiles of the folder (default: this one) and below. Asks package registries where the documentation of\n' +
      'missing libraries is; indexes nothing without --index.',
    options: {
      name: {
        type: 'string',
        placeholder: 'NAME',
        help: "name of the project (default: its folder's name)",
      },
      index: {
        type: 'boolean',
        help: 'index the missing direct dependencies and wait until they are done',
      },
      public: {
        type: 'boolean',
        help: 'with --index: searchable by everyone on this installation, not only with your own keys',
      },
      offline: { type: 'boolean', help: 'do not ask registries' },
      ...jsonOption,
    },
  },
  run: runProfile,
};

export const profileListCommand = calling(profileEndpoints.listProfiles, {
  shape: {
    name: 'profile list',
    isRemote: true,
    positionals: [],
    summary: 'Lists projects and their indexed libraries.',
    options: { ...jsonOption },
  },
  inputOf: () => ({}),
  json: ({ profiles }) => profiles,
  print({ profiles }) {
    if (profiles.length === 0) return printNote('No projects yet. Start with: lectern profile <folder>');
    const rows = profiles.map(({ name, libraryCount, directCount, indexedCount, updatedAt }) => [
      ...[name, String(libraryCount), String(directCount), String(indexedCount)],
      new Date(updatedAt).toISOString().slice(0, 16).replace('T', ' '),
    ]);
    printLine(table(['project', 'libraries', 'direct', 'indexed', 'updated (UTC)'], rows, new Set([1, 2, 3])));
  },
});

export const profileRemoveCommand: Command = {
  shape: {
    name: 'profile remove',
    isRemote: true,
    positionals: ['a project'],
    summary: "Removes a project's pins; its indexed documentation stays.",
    options: {},
  },
  async run({ positionals, withCall }) {
    const name = positionals[0] ?? '';
    await withCall({ isExclusive: true }, async (call) => {
      const { profiles } = await call(profileEndpoints.listProfiles, {});
      const found = profiles.find((profile) => profile.name === name);
      // The server refuses an invalid id with its own message.
      await call(profileEndpoints.removeProfile, { profileId: found?.profileId ?? 'none' });
    });
    printLine(`${name} is removed.`);
    return exitCodes.done;
  },
};

async function runProfile({ values, positionals, workingFolder, withCall }: Invocation): Promise<number> {
  const folder = resolve(workingFolder, positionals[0] ?? '.');
  requireFolder(folder);
  const { files, foundCount } = await findLockfiles(folder);
  if (files.length < foundCount) {
    printNote(`Only the first ${files.length} of ${foundCount} lockfiles are read. Name a subfolder for the others.`);
  }
  if (files.length === 0) {
    printNote(
      `lectern: there is no lockfile in ${folder}. Name a folder with package-lock.json, uv.lock or another lockfile.`,
    );
    return exitCodes.failed;
  }
  const name = text(values, 'name') ?? (basename(folder) || 'project');
  return withCall({ isExclusive: true }, async (call) => {
    const set = await call(profileEndpoints.setProfile, { name, files });
    const { profileId } = set.profile;
    if (!flag(values, 'offline')) await lookUpMissing(call, profileId);
    const started = flag(values, 'index') ? await indexMissing(call, profileId, flag(values, 'public')) : [];
    await waitForEnd(call, started);
    const libraries = await allDirect(call, profileId);
    if (flag(values, 'json')) printJson({ ...set, libraries, started });
    else show(set, libraries, started);
    const hasFailed =
      started.some(({ fault }) => fault !== null) || libraries.some(({ job }) => job?.status === 'FAILED');
    return flag(values, 'index') && hasFailed ? exitCodes.failed : exitCodes.done;
  });
}

function requireFolder(path: string): void {
  if (!existsSync(path)) throw new UsageError(`there is no folder ${path}`);
  if (statSync(path).isDirectory()) return;
  throw new UsageError(`${path} is a file; name its folder: lectern profile ${dirname(path)}`);
}

type Started = OutputOf<typeof profileEndpoints.indexLibraries>['libraries'];

async function allDirect(
  call: Call,
  profileId: string,
  shown: 'direct' | 'missing' = 'direct',
): Promise<PinnedLibrary[]> {
  const all: PinnedLibrary[] = [];
  for (;;) {
    const { libraries, total } = await call(profileEndpoints.getProfile, { profileId, shown, offset: all.length });
    all.push(...libraries);
    if (libraries.length === 0 || all.length >= total) return all;
  }
}

async function lookUpMissing(call: Call, profileId: string): Promise<void> {
  const missing = (await allDirect(call, profileId, 'missing')).filter(({ offers }) => offers === null);
  for (const libraries of portions(missing.map(pinOf), limits.librariesLookedUpMax))
    await call(profileEndpoints.lookUpLibraries, { profileId, libraries });
}

async function indexMissing(call: Call, profileId: string, isPublic: boolean): Promise<Started> {
  const missing = await allDirect(call, profileId, 'missing');
  const started: Started = [];
  const visibility = isPublic ? ('public' as const) : ('private' as const);
  for (const libraries of portions(missing.map(pinOf), limits.librariesIndexedAtOnceMax))
    started.push(...(await call(profileEndpoints.indexLibraries, { profileId, visibility, libraries })).libraries);
  return started;
}

async function waitForEnd(call: Call, started: Started): Promise<void> {
  const jobs = started.flatMap(({ job }) => job ?? []);
  for (const { id, displayName } of jobs) {
    printNote(`Indexing ${displayName}`);
    while ((await call(libraryEndpoints.getJob, { jobId: id })).job.endTime === null) await delay(pollEveryMs);
  }
}

function pinOf({ ecosystem, name, version }: PinnedLibrary): Pin {
  return { ecosystem, name, version };
}

function portions<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function show(
  {
    profile,
    isChanged,
    refused,
  }: { profile: Profile; isChanged: boolean; refused: { path: string; reason: string }[] },
  libraries: PinnedLibrary[],
  started: Started,
): void {
  const rows = libraries.map((library) => [
    `${library.name} (${ecosystemLabels[library.ecosystem]})`,
    library.version,
    library.answer === null ? '-' : (library.answer.version ?? 'any'),
    actionFor(
      library,
      started.find(
        ({ ecosystem, name, version }) =>
          library.ecosystem === ecosystem && library.name === name && library.version === version,
      ),
    ),
  ]);
  if (rows.length > 0) printLine(table(['library', 'pinned', 'indexed', 'action'], rows));
  for (const { path, reason } of refused) printNote(`${path} was left out: ${reason}`);
  const { name, libraryCount, directCount, lockfiles } = profile;
  const indexedCount = libraries.filter(({ answer }) => answer !== null).length;
  for (const lockfile of lockfiles) tellLeftOut(lockfile);
  const files = lockfiles.map(({ path }) => path).join(', ');
  const counted = countOf(libraryCount, 'library', 'libraries');
  printNote(
    `${name}: ${counted} from ${files}${isChanged ? '' : ' (unchanged)'}; ${indexedCount} of ${directCount} direct indexed.`,
  );
}

/** Prints lockfile entries that pin nothing, some of many as examples. */
function tellLeftOut({ path, problems, problemCount }: ProfileLockfile): void {
  if (problemCount === 0) return;
  printNote(`${countOf(problemCount, 'entry', 'entries')} of ${path} left out:`);
  for (const problem of problems.slice(0, problemsTold)) printNote(`  ${problem}`);
  const rest = problemCount - problemsTold;
  const named = problemCount > problems.length ? `the first ${problems.length}` : 'them';
  if (rest > 0) printNote(`  and ${rest} more; --json names ${named}.`);
}

/** Returns what to do about a library, or why nothing can be done. */
function actionFor({ answer, offers, offersFault, job }: PinnedLibrary, started: Started[number] | undefined): string {
  if (job?.status === 'FAILED') return `failed: ${job.error ?? 'see the log'}`;
  if (started?.fault) return `not indexed: ${started.fault}`;
  if (answer !== null) return answer.fit === 'exact' ? '' : `answered by ${answer.moduleId}`;
  const [best] = offers ?? [];
  if (best !== undefined) return `--index reads ${best.address}${best.tag === null ? '' : ` at ${best.tag}`}`;
  return (
    offersFault ??
    (offers === null ? 'registries were not asked' : 'no address is declared: lectern index <address> --library')
  );
}

const depthMax = 8;

/**
 * Finds the lockfiles of a folder and of project parts below it, nearest first; at most as many as a project may have,
 * out of `foundCount`.
 */
async function findLockfiles(folder: string): Promise<{ files: { path: string; text: string }[]; foundCount: number }> {
  const found: string[] = [];
  let level = [folder];
  for (let depth = 0; depth < depthMax && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const place of level) {
      for (const entry of await entriesOf(place, place === folder)) {
        if (entry.isFile() && isLockfileName(entry.name)) found.push(join(place, entry.name));
        if (entry.isDirectory() && !isForeignFolder(entry.name)) below.push(join(place, entry.name));
      }
    }
    level = below;
  }
  const files = await Promise.all(
    found.slice(0, limits.profileFilesMax).map(async (file) => ({
      path: relative(folder, file).split('\\').join('/'),
      text: await readFile(file, 'utf8'),
    })),
  );
  return { files, foundCount: found.length };
}

/**
 * Returns entries sorted by name. A subfolder that only its owner may read, such as a container's database, has no
 * lockfile for us.
 */
async function entriesOf(place: string, isNamed: boolean): Promise<Dirent[]> {
  try {
    return (await readdir(place, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (!isNamed && ['EACCES', 'EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
