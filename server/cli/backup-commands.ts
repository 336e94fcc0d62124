import { resolve } from 'node:path';
import { type Command, exitCodes, jsonOption, printJson, printLine } from './command.ts';
import { countOf } from './table.ts';
import { flag } from './usage.ts';

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
