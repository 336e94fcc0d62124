import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Moved } from '#server/features/maintenance/index.ts';
import { type Config, loadConfig } from '#server/platform/config/config.ts';
import { type Command, exitCodes, type Invocation, jsonOption, printJson, printLine, printNote } from './command.ts';
import { flag, UsageError } from './usage.ts';

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
