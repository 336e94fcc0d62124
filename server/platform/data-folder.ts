import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CodedError } from './coded-error.ts';
import { createFolder } from './create-folder.ts';
import { isSystemError, readText, systemCodeOf, writeSynced } from './system-files.ts';

export type DataFolderErrorCode =
  | 'not-a-folder'
  | 'cannot-create'
  | 'not-writable'
  | 'disk-full'
  | 'in-use'
  | 'secret-damaged'
  | 'secret-missing'
  | 'half-restored'
  | 'no-installation';

export interface Holder {
  pid: number;
  /** The process's purpose, in words that fit "… is running": `the server`, `an index job`. */
  purpose: string;
  /** The port it listens on, if any. */
  port?: number;
}

/** Thrown if a data folder cannot be used; the message says what to do. `holder` is set only for `in-use`. */
export class DataFolderError extends CodedError<DataFolderErrorCode> {
  override readonly name = 'DataFolderError';
  readonly holder: Holder | undefined;

  constructor(code: DataFolderErrorCode, message: string, options?: { cause?: unknown; holder?: Holder }) {
    super(code, message, options);
    this.holder = options?.holder;
  }
}

/** A folder that exists and is writable. */
export interface DataFolder {
  /** Absolute. */
  path: string;
}

const secretBytes = 32;
/** Folder in which a restore collects files before it renames them, with the rows last. */
export const restoreName = '.restore';
/** Far longer than such a file is in use. */
const leftoverMs = 60 * 60_000;
const writeTestName = '.write-test';

/** Throws DataFolderError if a restore was interrupted: a start would create a new installation. */
export function requireRestored(path: string): void {
  if (!existsSync(join(path, restoreName)) || existsSync(join(path, 'data.sqlite'))) return;
  throw new DataFolderError(
    'half-restored',
    `A restore to ${path} did not finish. Run "lectern restore" again; to continue without the backup, remove ${join(path, restoreName)}.`,
  );
}

/**
 * Creates the folder if it is missing (accessible only to its owner) and checks that it is writable. Throws
 * DataFolderError.
 */
export async function prepareDataFolder(path: string): Promise<DataFolder> {
  const absolute = resolve(path);
  await createDataFolder(absolute);
  await tryWriting(absolute);
  return { path: absolute };
}

/**
 * Returns the key that encrypts secrets in the database: 32 random bytes, created on first use and readable only by the
 * owner. Losing it loses those secrets, so a damaged file is refused and never replaced.
 */
export async function loadOrCreateSecret(folderPath: string): Promise<Uint8Array> {
  const file = secretFile(folderPath);
  const text = (await readText(file)) ?? (await createSecret(file));
  if (!/^[0-9a-f]{64}\s*$/.test(text)) {
    throw new DataFolderError(
      'secret-damaged',
      `The file ${file} is damaged. Put it back from a backup; stored keys cannot be read without it.`,
    );
  }
  await chmod(file, 0o600);
  return Uint8Array.from(Buffer.from(text.trim(), 'hex'));
}

/** Returns true if the folder has a secret. */
export function hasSecret(folderPath: string): boolean {
  return existsSync(secretFile(folderPath));
}

/** Creates the error for an installation whose secret is missing: a new secret could not decrypt anything. */
export function secretMissing(): DataFolderError {
  return new DataFolderError(
    'secret-missing',
    'The secret of this installation is missing: LECTERN_SECRET is not set, and the data folder has no file named secret. Set the variable as it was, or put the file back from a backup. If the secret is lost for good, run "lectern secret renew --new-webhook-key".',
  );
}

function secretFile(folderPath: string): string {
  return join(folderPath, 'secret');
}

/** Writes a file for its owner only, atomically. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const temporary = await writeTemporary(file, text);
  await rename(temporary, file);
}

async function createSecret(file: string): Promise<string> {
  const temporary = await writeTemporary(file, `${randomBytes(secretBytes).toString('hex')}\n`);
  try {
    // Unlike rename, link never replaces a file: of several concurrent first starts one wins, and all read the same
    // secret.
    await link(temporary, file);
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(file, 'utf8');
}

/** Returns true for the name of a temporary file, which a killed process may have left behind. */
export function isMomentary(name: string): boolean {
  return name === writeTestName || /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/.test(name);
}

/** Removes temporary files of killed processes, because they may contain a secret. */
export async function removeMomentary(folderPath: string): Promise<void> {
  for (const name of (await readdir(folderPath)).filter(isMomentary)) {
    const path = join(folderPath, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - leftoverMs) await rm(path, { force: true });
  }
}

async function writeTemporary(file: string, text: string): Promise<string> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  await writeSynced(temporary, text);
  return temporary;
}

async function createDataFolder(path: string): Promise<void> {
  try {
    await createFolder(path, 0o700);
  } catch (error) {
    if (isSystemError(error, 'EEXIST', 'ENOTDIR')) {
      throw new DataFolderError('not-a-folder', `${path} is not a folder. Choose another data folder with --data.`, {
        cause: error,
      });
    }
    throw new DataFolderError(
      'cannot-create',
      `The data folder ${path} cannot be created (${systemCodeOf(error)}). Choose another with --data, or give this user access.`,
      { cause: error },
    );
  }
}

/** Writes and removes a file in the folder. Throws DataFolderError. */
export async function tryWriting(path: string): Promise<void> {
  const probe = join(path, writeTestName);
  try {
    const handle = await open(probe, 'w', 0o600);
    try {
      // More than fits in an inode, so that a disk without free blocks is detected.
      await handle.writeFile(Buffer.alloc(8192, 1));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new DataFolderError(
        'disk-full',
        `The disk of the data folder ${path} is full. Free some space and try again.`,
        {
          cause: error,
        },
      );
    }
    throw new DataFolderError(
      'not-writable',
      `The data folder ${path} cannot be written (${code}). Give this user write access, or choose another with --data.`,
      { cause: error },
    );
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}
