import { execFile } from 'node:child_process';
import { constants, existsSync, statSync } from 'node:fs';
import { access, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sentenceOf } from '#contract/errors.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { type StatusReport, statusEndpoints } from '#contract/status.ts';
import { AppError } from '#server/app-error.ts';
import type { ReadableModule, Shelf } from '#server/features/catalog/index.ts';
import type { LibraryFault } from '#server/features/indexing/index.ts';
import type { Installation } from '#server/main.ts';
import { BlobError } from '#server/platform/blobs/blobs.ts';
import type { Config } from '#server/platform/config/config.ts';
import {
  DataFolderError,
  hasSecret,
  requireRestored,
  secretMissing,
  tryWriting,
} from '#server/platform/data-folder.ts';
import { findHolder } from '#server/platform/data-folder-lock.ts';
import type { Database, DatabaseConfig } from '#server/platform/db/database.ts';
import { readMailQueue } from '#server/platform/mail/lasting-mailer.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { isClone } from '#server/platform/program.ts';
import { findRunningServer, type RunningServer } from '#server/platform/running-server.ts';
import { readInstallationId } from '#server/platform/store-claim.ts';
import { type Command, exitCodes, type Invocation, jsonOption, printJson, printLine } from './command.ts';
import { originOf } from './connect.ts';
import { examineDeeply, type Finding } from './deep-examination.ts';
import { faultSentence } from './faults.ts';
import { askServer, httpCall } from './http-api.ts';
import { countOf } from './table.ts';
import { flag, UsageError } from './usage.ts';

const macChrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const usualBrowsers = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  macChrome,
];
const browserMsMax = 20_000;
/** With less free space, the index of a larger site may not fit. */
const freeBytesWarn = 1_000_000_000;
const faultsTold = 20;

export const doctorCommand: Command = {
  shape: {
    name: 'doctor',
    positionals: [],
    summary: 'Checks the installation and says what to fix.',
    details:
      'Exits with 1 if something is wrong. Changes nothing without --repair, which only removes segments that no module serves, ends runs of removed modules and empties damaged details of past runs, calls and other history.',
    options: {
      deep: { type: 'boolean', help: 'compare everything in every workspace: rows, credits, teams, passages, files' },
      repair: { type: 'boolean', help: 'with --deep: make safe repairs and report each' },
      ...jsonOption,
    },
  },
  run: examine,
};

async function examine(invocation: Invocation): Promise<number> {
  const isJson = flag(invocation.values, 'json');
  if (flag(invocation.values, 'repair') && !flag(invocation.values, 'deep')) {
    throw new UsageError('--repair goes with --deep');
  }
  const findings: Finding[] = [];
  for await (const finding of allFindings(invocation)) {
    findings.push(finding);
    if (!isJson) printLine(`${finding.state.padEnd(4)}  ${finding.what}: ${finding.detail}`);
  }
  const isWell = findings.every(({ state }) => state !== 'fail');
  if (isJson) printJson({ isWell, findings });
  return isWell ? exitCodes.done : exitCodes.failed;
}

async function* allFindings(invocation: Invocation): AsyncIterable<Finding> {
  const { config } = invocation;
  yield { what: 'program', state: 'ok', detail: `version ${productVersion}` };
  yield nodeVersion();
  yield { what: 'configuration', state: 'ok', detail: configurationDetail(config.allowHosts) };
  const folder = await dataFolder(config, flag(invocation.values, 'deep'));
  yield folder;
  if (folder.state === 'fail') return;
  if (existsSync(config.dataFolder)) {
    yield await freeSpace(config.dataFolder);
    yield await lockState(config.dataFolder);
    yield* serverState(config.dataFolder);
    yield* opened(invocation);
  } else if (config.database.kind === 'postgres') {
    // Rows and files may be elsewhere; the check must not leave a folder behind.
    const passing = await mkdtemp(join(tmpdir(), 'lectern-doctor-'));
    const blobs = config.blobs.kind === 's3' ? { ...config.blobs, cacheFolder: join(passing, 'cache') } : config.blobs;
    yield* opened({ ...invocation, config: { ...config, dataFolder: passing, blobs } });
    await rm(passing, { recursive: true, force: true });
  }
  yield await browser(config.chromium);
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const oldest = isClone ? { major: 24, minor: 4 } : major === 23 ? { major, minor: 8 } : { major: 22, minor: 16 };
  const isNewEnough = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  return isNewEnough
    ? { what: 'Node', state: 'ok', detail: process.version }
    : {
        what: 'Node',
        state: 'fail',
        detail: isClone
          ? `${process.version} is too old; start with ./lectern, which fetches Node 24`
          : `${process.version} is too old; install Node ${oldest.major}.${oldest.minor} or newer`,
      };
}

function configurationDetail(allowHosts: string[]): string {
  return allowHosts.length === 0
    ? 'of this command is valid; private addresses are refused (LECTERN_ALLOW_HOSTS names none)'
    : `of this command is valid; private addresses that may be read: ${allowHosts.join(', ')}`;
}

async function dataFolder({ dataFolder: path, database }: Config, isDeep: boolean): Promise<Finding> {
  const what = 'data folder';
  const nearest = existsSync(path) ? path : nearestExisting(path);
  try {
    await access(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
    if (nearest === path) await tryWriting(path);
  } catch (error) {
    if (error instanceof DataFolderError) return { what, state: 'fail', detail: error.message };
    const detail = `${nearest} cannot be written (${(error as NodeJS.ErrnoException).code}); give this user access, or name another with --data`;
    return { what, state: 'fail', detail };
  }
  if (nearest === path) {
    if (!isOpenToOthers(path, database)) return { what, state: 'ok', detail: `${path} can be written` };
    const detail = `other users of this machine can read ${path}; run: chmod -R go= ${path}`;
    return { what, state: 'warn', detail };
  }
  // A deep check needs a folder with data: without any, the wrong folder was named.
  if (isDeep && database.kind === 'sqlite') {
    return {
      what,
      state: 'fail',
      detail: `${path} does not exist, so there is nothing to compare; name it with --data`,
    };
  }
  return { what, state: 'warn', detail: `${path} does not exist yet; "lectern start" creates it` };
}

/** Returns true if other users can read the files: an older version relied on the folder's permissions. */
function isOpenToOthers(path: string, database: Config['database']): boolean {
  const mayOthers = (place: string, bits: number) =>
    ((statSync(place, { throwIfNoEntry: false })?.mode ?? 0) & bits) > 0;
  const files = database.kind === 'sqlite' ? database.file : join(path, 'blobs');
  return mayOthers(path, 0o011) && mayOthers(files, 0o044);
}

function nearestExisting(path: string): string {
  let folder = path;
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

async function freeSpace(path: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(path);
  const bytes = bavail * bsize;
  const detail = `${(bytes / 1e9).toFixed(1)} GB free`;
  return bytes < freeBytesWarn
    ? { what: 'disk', state: 'warn', detail: `${detail}; a large site may not fit, so free some space` }
    : { what: 'disk', state: 'ok', detail };
}

async function lockState(path: string): Promise<Finding> {
  const holder = await findHolder(path);
  const detail = holder === undefined ? 'free' : `held by ${holder.purpose} (process ${holder.pid})`;
  return { what: 'lock', state: 'ok', detail };
}

/** Yields whether the folder's server accepts requests, its version, and the state of its parts. */
async function* serverState(path: string): AsyncIterable<Finding> {
  const what = 'server';
  const server = await findRunningServer(path);
  if (server === undefined) return yield { what, state: 'ok', detail: 'not running' };
  const origin = originOf(server);
  const again = `stop process ${server.pid} and start it again`;
  const health = await askServer(`${origin}/healthz`);
  if (health === undefined) return yield { what, state: 'fail', detail: `${origin} does not answer; ${again}` };
  const ready = await askServer(`${origin}/readyz`);
  const { version } = (health.body ?? {}) as { version?: string };
  if (ready?.status !== 200) {
    const detail = `${origin} is running but not ready: it is starting or stopping, or has no database`;
    yield { what, state: 'fail', detail };
  } else if (version !== productVersion) {
    yield {
      what,
      state: 'warn',
      detail: `${origin} runs version ${version}, this command is ${productVersion}; ${again}`,
    };
  } else {
    yield { what, state: 'ok', detail: `ready at ${origin}, version ${version}` };
    yield await settingsOf(server);
  }
  yield* partsState(origin);
}

/** Returns the variables that the server runs with: those of this command may differ. */
async function settingsOf(server: RunningServer): Promise<Finding> {
  const what = 'settings of the server';
  try {
    const { variables } = await httpCall(originOf(server), server.operatorToken)(operatorEndpoints.getSettings, {});
    const set = variables.filter(({ value }) => value !== null);
    const shown = set.map(({ name, value, isSecret }) => (isSecret ? `${name} is set` : `${name}=${value}`));
    return { what, state: 'ok', detail: shown.length === 0 ? 'all have their defaults' : shown.join(', ') };
  } catch (error) {
    return { what, state: 'warn', detail: `cannot be read: ${(error as Error).message}` };
  }
}

/** Yields the state that the server measured for all processes, the only place where a dead worker shows. */
async function* partsState(origin: string): AsyncIterable<Finding> {
  const report = statusEndpoints.getStatus.output.safeParse((await askServer(`${origin}/api/status`))?.body);
  if (report.success) yield stateOf(report.data);
  else yield { what: 'status', state: 'fail', detail: `${origin}/api/status does not answer` };
}

/** Returns the state recorded by processes on other machines, for a folder without a running server. */
function writtenState(report: StatusReport): Finding {
  const waits = waitingIn(report);
  if (report.measuredAt !== null) {
    const finding = stateOf(report);
    // A missing measurement is no fault on a machine where nothing runs, unless index runs are waiting.
    return finding.state === 'warn' && waits === '' ? { ...finding, state: 'ok' } : finding;
  }
  return waits === ''
    ? { what: 'status', state: 'ok', detail: 'no process is running' }
    : { what: 'status', state: 'warn', detail: `no process is running${waits}; start one with the role worker` };
}

function stateOf(report: StatusReport): Finding {
  const what = 'status';
  const waits = waitingIn(report);
  const ill = report.checks.filter(({ state }) => state === 'down' || state === 'degraded');
  const unknown = report.checks.filter(({ state }) => state === 'unknown');
  if (ill.length > 0) {
    const parts = ill.map(({ label, state }) => `${label} is ${state}`).join(', ');
    return { what, state: 'fail', detail: `${parts}${waits}; the logs of all processes say why` };
  }
  if (unknown.length > 0) {
    const parts = unknown.map(({ label }) => label).join(', ');
    return { what, state: 'warn', detail: `not measured recently: ${parts}${waits}` };
  }
  return { what, state: 'ok', detail: `every component works${waits}` };
}

function waitingIn({ queue }: StatusReport): string {
  if (queue === null || queue.waiting === 0) return '';
  return `; ${countOf(queue.waiting, 'index run')} waiting, the oldest for ${queue.oldestWaitSeconds} s`;
}

/** Reports anything that cannot be opened as a finding. */
async function* opened(invocation: Invocation): AsyncIterable<Finding> {
  try {
    const unopened = await databaseToChange(invocation);
    if (unopened === undefined) yield* inside(invocation);
    else yield unopened;
  } catch (error) {
    yield { what: error instanceof BlobError ? 'files' : 'database', state: 'fail', detail: faultSentence(error) };
  }
}

/**
 * Opening a database creates or upgrades it. The doctor leaves that to a start, because another program may be using
 * the database.
 */
async function databaseToChange({ config, values }: Invocation): Promise<Finding | undefined> {
  const what = 'database';
  const { database, dataFolder: folder } = config;
  const isFile = database.kind === 'sqlite';
  if (isFile) requireRestored(folder);
  const age = isFile && !existsSync(database.file) ? 'new' : await ageOf(database);
  if (age === 'current') return undefined;
  if (age === 'older') {
    const detail = 'an older version of this program wrote it; "lectern start" upgrades it';
    return { what, state: 'fail', detail };
  }
  const [place, variable] = isFile ? [database.file, '--data'] : ['the PostgreSQL database', 'DATABASE_URL'];
  return flag(values, 'deep')
    ? { what, state: 'fail', detail: `${place} has no data, so there is nothing to compare; correct ${variable}` }
    : { what, state: 'warn', detail: `${place} has no data yet; "lectern start" creates it` };
}

async function ageOf(database: DatabaseConfig): Promise<'new' | 'older' | 'current'> {
  const [{ connectDatabase }, { isNew, isUpToDate }, { migrations }] = await Promise.all([
    import('#server/platform/db/open-database.ts'),
    import('#server/platform/db/migrate.ts'),
    import('#server/platform/db/migrations.ts'),
  ]);
  const db = connectDatabase(database);
  try {
    if (await isUpToDate(db, migrations)) return 'current';
    return (await isNew(db)) ? 'new' : 'older';
  } finally {
    await db.close();
  }
}

async function* inside({ config, values }: Invocation): AsyncIterable<Finding> {
  const { openInstallation } = await import('#server/main.ts');
  const { listModules } = await import('#server/features/catalog/index.ts');
  const { checkLibrary } = await import('#server/features/indexing/index.ts');
  const { checkPdfFiles } = await import('#server/features/pdf-sets/index.ts');
  const installation = await openInstallation(config, { missingSecret: 'look' });
  try {
    const kind = config.database.kind === 'sqlite' ? config.database.file : 'PostgreSQL';
    yield { what: 'database', state: 'ok', detail: `${kind} opens and is up to date` };
    yield await clientDocuments(config, installation.base.db);
    yield await secretState(config, installation);
    yield await storeState(installation);
    if ((await findRunningServer(config.dataFolder)) === undefined) {
      yield writtenState(await installation.features.status.getStatus(installation.operatorContext()));
    }
    if (config.mail.kind === 'smtp') yield await waitingMails(installation.base.db);
    if (config.searchCluster !== undefined) {
      const { searchClusterState } = await import('./search-cluster-state.ts');
      yield await searchClusterState(config.searchCluster, installation);
    }
    const operator = installation.operatorContext();
    // The operator may see the paths of folders.
    const modules = await listModules(operator);
    const places = new Map(modules.map((known) => [keyOf(known), known.url]));
    for (const { moduleId } of modules.filter(({ isSourceLost }) => isSourceLost)) {
      const detail = `its row has lost the source's address; refresh it, or run "lectern index ADDRESS --name ${moduleId}"`;
      yield { what: `module ${moduleId}`, state: 'fail', detail };
    }
    for (const module of await installation.features.catalog.shelf.readableModules(operator)) {
      yield await moduleState(
        { ...module, url: places.get(keyOf(module)) ?? module.url },
        installation.features.catalog.shelf,
      );
    }
    if (flag(values, 'deep')) {
      yield* examineDeeply(() => installation.examine(), { isRepair: flag(values, 'repair') });
      return;
    }
    const [ctx, { blobs }] = [installation.operatorContext(), installation];
    yield* libraryState([...(await checkLibrary(ctx, blobs)), ...(await checkPdfFiles(ctx, blobs))]);
  } finally {
    await installation.close();
  }
}

/** Decrypts everything that is stored encrypted, with the secret given to this command. */
async function secretState(
  { secrets, dataFolder: folder }: Config,
  { base, sealingKeys }: Pick<Installation, 'base' | 'sealingKeys'>,
): Promise<Finding> {
  const what = 'secret';
  if (secrets === undefined && !hasSecret(folder)) {
    const isNew = (await readInstallationId(base.db)) === undefined;
    if (isNew) return { what, state: 'ok', detail: 'none yet; "lectern start" creates it' };
    return { what, state: 'fail', detail: secretMissing().message };
  }
  const { countSealed, unopenedIn } = await import('#server/features/maintenance/index.ts');
  const sealed = await countSealed(base, sealingKeys);
  const counts = Object.entries(sealed);
  const sumOf = (key: 'current' | 'former' | 'none') => counts.reduce((sum, [, count]) => sum + count[key], 0);
  const unopened = unopenedIn(sealed);
  if (unopened.length > 0) {
    const detail = `cannot decrypt ${unopened.join(', ')}; set LECTERN_SECRET, or restore the file secret, as it was when they were stored`;
    return { what, state: 'fail', detail };
  }
  const former = sumOf('former');
  if (former > 0) {
    const detail = `${countOf(former, 'stored secret still needs', 'stored secrets still need')} the former key; run "lectern secret renew" before you remove it`;
    return { what, state: 'warn', detail };
  }
  return { what, state: 'ok', detail: `decrypts ${countOf(sumOf('current'), 'stored secret')}` };
}

/** Returns the finding about the file store's owner. A store that was never used has none. */
async function storeState({ storeClaim }: Pick<Installation, 'storeClaim'>): Promise<Finding> {
  const what = 'file store';
  const { requireOwn } = await import('#server/features/maintenance/index.ts');
  try {
    const standing = await storeClaim.standing();
    if (standing === 'other') await requireOwn(storeClaim);
    const detail =
      standing === 'own' ? 'belongs to this database' : 'will belong to this database once a server has run';
    return { what, state: 'ok', detail };
  } catch (error) {
    return { what, state: 'fail', detail: faultSentence(error) };
  }
}

function keyOf({ visibility, moduleId }: Pick<ReadableModule, 'visibility' | 'moduleId'>): string {
  return `${visibility} ${moduleId}`;
}

/** Checks whether clients such as Claude Code can identify themselves by a metadata document. */
async function clientDocuments({ readsClientDocuments }: Config, db: Database): Promise<Finding> {
  const what = 'client documents';
  if (!readsClientDocuments) {
    return { what, state: 'ok', detail: 'off (LECTERN_CLIENT_DOCUMENTS); applications register here instead' };
  }
  const { countClientDocuments, knownClients, knownClientsDate } = await import(
    '#server/features/connections/index.ts'
  );
  const copies = `copies of ${countOf(Object.keys(knownClients).length, 'client')} from ${knownClientsDate}`;
  const read = countOf(await countClientDocuments(db.query), 'description');
  return {
    ...{ what, state: 'ok' },
    detail: `on; ${read} read so far; ${copies} are used if a site cannot be reached; for other applications set LECTERN_CLIENT_DOCUMENTS=off there`,
  };
}

async function waitingMails(db: Database): Promise<Finding> {
  const what = 'mails';
  const { count, oldestAt, lastFault } = await readMailQueue(db.query);
  if (count === 0 || oldestAt === null)
    return { what, state: 'ok', detail: 'the mail server has accepted all of them' };
  const since = new Date(oldestAt).toISOString();
  const detail = `${count} not accepted by the mail server since ${since} (${lastFault}); each is retried for a day: check SMTP_URL and the mail server`;
  return { what, state: 'warn', detail };
}

/** Yields whether database and files of all workspaces are consistent. */
function* libraryState(faults: LibraryFault[]): Iterable<Finding> {
  const what = 'library';
  if (faults.length === 0) yield { what, state: 'ok', detail: 'every file belongs to a row, and no file is missing' };
  for (const fault of faults.slice(0, faultsTold)) {
    yield { what, state: fault.kind === 'orphan' ? 'warn' : 'fail', detail: `${fault.what} ${fault.detail}` };
  }
  const rest = faults.length - faultsTold;
  if (rest > 0) yield { what, state: 'warn', detail: `and ${rest} more` };
}

/** Reads every byte of the module and every passage, because a search silently skips unreadable ones. */
async function moduleState(module: ReadableModule, shelf: Shelf): Promise<Finding> {
  const what = `module ${module.moduleId}`;
  try {
    const views = await shelf.openViews([module]);
    let snippets = 0;
    for (const { segment } of views) {
      segment.verify();
      for (let page = 0; page < segment.pageCount; page += 1) snippets += segment.pageSnippets(page).length;
    }
    const detail = `${countOf(module.pageCount, 'page')}; all of ${countOf(snippets, 'passage')} in ${countOf(views.length, 'segment')} can be read`;
    return { what, state: 'ok', detail };
  } catch (error) {
    if (error instanceof AppError) return { what, state: 'fail', detail: error.message };
    const values = { module: module.moduleId, address: module.url };
    const reason = error instanceof Error ? error.message : String(error);
    const { isDamage } = await import('#server/features/catalog/index.ts');
    // A store that is unreachable, or not readable by this user, is not damaged.
    const fault = isDamage(error) ? sentenceOf('index-damaged', values) : 'cannot be read';
    return { what, state: 'fail', detail: `${fault} (${reason})` };
  }
}

/** Starts the configured browser, because its path alone proves nothing. */
async function browser(path: string | undefined): Promise<Finding> {
  const what = 'Chromium';
  if (path === undefined) {
    const found = usualBrowsers.find(existsSync);
    const hint = found === undefined ? '' : `; found ${found}`;
    return {
      what,
      state: 'warn',
      detail: `LECTERN_CHROMIUM is not set, so pages are read without their scripts${hint}`,
    };
  }
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: browserMsMax });
    return { what, state: 'ok', detail: `${path} starts (${stdout.trim().split('\n')[0]})` };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'no answer';
    return { what, state: 'fail', detail: `${path} cannot be started (${reason}); correct LECTERN_CHROMIUM` };
  }
}
