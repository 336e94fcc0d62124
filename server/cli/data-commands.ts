import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Moved } from '#server/features/maintenance/index.ts';
import { type Config, loadConfig } from '#server/platform/config/config.ts';
import { type Command, exitCodes, type Invocation, jsonOption, printJson, printLine, printNote } from './command.ts';
import { countOf } from './table.ts';
import { flag, UsageError } from './usage.ts';

const namedMax = 20;

export const backupCommand: Command = {
  shape: {
    name: 'backup',
    positionals: ['a file'],
    summary: 'Writes a backup of this data folder to one archive; the server can keep running.',
    details:
      'The archive contains the secret: protect it like the data folder. It appears only when it is complete, and never replaces a file. With DATABASE_URL or BLOB_STORE, see docs/operate/backup.md.',
    options: jsonOption,
  },
  async run({ positionals, values, config, workingFolder }) {
    const { backupInstallation } = await import('#server/features/maintenance/index.ts');
    const file = resolve(workingFolder, positionals[0] ?? '');
    const backup = await backupInstallation(config, file, Date.now());
    if (flag(values, 'json')) printJson({ file, ...backup });
    else {
      printLine(`${countOf(backup.files, 'file')} in ${file} (${backup.bytes} bytes).`);
      if (!backup.hasSecret) printLine('It does not contain the secret: keep LECTERN_SECRET too.');
      for (const line of missingLines(backup.missing)) printLine(line);
    }
    return exitCodes.done;
  },
};

export const restoreCommand: Command = {
  shape: {
    name: 'restore',
    positionals: ['a file'],
    summary: 'Checks an archive from "backup" and restores it to an empty data folder.',
    details: 'Writes nothing if the archive is damaged or the folder is not empty.',
    options: jsonOption,
  },
  async run({ positionals, values, config, workingFolder }) {
    const { restoreInstallation } = await import('#server/features/maintenance/index.ts');
    const restored = await restoreInstallation(config, resolve(workingFolder, positionals[0] ?? ''));
    if (flag(values, 'json')) printJson({ dataFolder: config.dataFolder, ...restored });
    else {
      const made = `${new Date(restored.createdAt).toISOString()} by version ${restored.version}`;
      printLine(`${countOf(restored.files, 'file')} restored to ${config.dataFolder}, backed up at ${made}.`);
      for (const line of missingLines(restored.missing)) printLine(line);
      if (restored.unopened.length > 0) {
        printLine(
          `The secret does not decrypt ${restored.unopened.join(', ')}: add the one that does to LECTERN_SECRET.`,
        );
      }
      printLine('Start the server, and check it with "lectern doctor --deep".');
    }
    return exitCodes.done;
  },
};

function missingLines(missing: string[]): string[] {
  if (missing.length === 0) return [];
  const named = missing.slice(0, namedMax).map((key) => `  ${key}`);
  const rest = missing.length - namedMax;
  return [
    `${countOf(missing.length, 'file')} that rows name ${missing.length === 1 ? 'was' : 'were'} not there:`,
    ...named,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

export const moveCommand: Command = {
  shape: {
    name: 'move',
    positionals: ['a file of variables'],
    summary: 'Copies this installation to another database and file store.',
    details:
      'The file names the target with the variables of .env.example: DATABASE_URL, BLOB_STORE, S3_…, LECTERN_SECRET, LECTERN_DATA. Other variables have their defaults. Stop the server first. The old installation is not changed; if interrupted, run it again.',
    options: jsonOption,
  },
  run: move,
};

async function move({ positionals, values, config, workingFolder }: Invocation): Promise<number> {
  const target = await targetOf(resolve(workingFolder, positionals[0] ?? ''), config);
  const { moveInstallation } = await import('#server/features/maintenance/index.ts');
  const moved = await moveInstallation(config, target, printNote);
  if (flag(values, 'json')) {
    printJson({ tables: Object.fromEntries(moved.tables ?? []), files: moved.files ?? null });
  } else for (const line of linesOf(moved)) printLine(line);
  return exitCodes.done;
}

async function targetOf(file: string, { dataFolder }: Config): Promise<Config> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return loadConfig({ LECTERN_DATA: dataFolder, ...parseEnv(text) }).config;
}

function linesOf({ tables, files }: Moved): string[] {
  const rows = [...(tables?.values() ?? [])].reduce((sum, table) => sum + table.rows, 0);
  return [
    tables === undefined
      ? 'The rows stay in their database.'
      : `${rows} rows of ${tables.size} tables were copied and verified by count and checksum.`,
    files === undefined
      ? 'The files stay where they are.'
      : `${files.files} files (${files.bytes} bytes) are in place and verified by hash; ${files.kept} were there before.`,
    'The old installation is not changed. Start the server with the new variables, and check it with "lectern doctor --deep".',
  ];
}
