import type { Litter } from '#server/features/maintenance/index.ts';
import type { BlobEntry } from '#server/platform/blobs/index.ts';
import { requireInstallation } from '#server/platform/require-installation.ts';
import { type Command, exitCodes, jsonOption, printJson, printLine } from './command.ts';
import { countOf } from './table.ts';
import { flag } from './usage.ts';

const namedMax = 20;

export const storeAdoptCommand: Command = {
  shape: {
    name: 'store adopt',
    positionals: [],
    summary:
      'Assigns the file store and the search cluster to this database, if they belong to another or to a copy of it.',
    details:
      'Stop all servers first. Deletes nothing: files that this database does not know stay until "store sweep --yes".',
    options: jsonOption,
  },
  async run({ values, config }) {
    await requireInstallation(config);
    const { adoptConfiguredStore } = await import('#server/features/maintenance/index.ts');
    const id = await adoptConfiguredStore(config);
    if (flag(values, 'json')) printJson({ installation: id });
    else printLine(`The file store belongs to this database now (installation ${id}).`);
    return exitCodes.done;
  },
};

export const storeSweepCommand: Command = {
  shape: {
    name: 'store sweep',
    positionals: [],
    summary: 'Lists files that no row names; with --yes moves them to the trash, where they stay for seven days.',
    details: 'Files younger than a day are left alone. You can run it while the server runs.',
    options: { yes: { type: 'boolean', help: 'move all of them to the trash' }, ...jsonOption },
  },
  async run({ values, config }) {
    await requireInstallation(config);
    const [{ openInstallation }, { requireOwn, surveyStore, sweepStore }] = await Promise.all([
      import('#server/main.ts'),
      import('#server/features/maintenance/index.ts'),
    ]);
    const installation = await openInstallation(config);
    try {
      const isForced = flag(values, 'yes');
      if (isForced) await requireOwn(installation.storeClaim);
      const ctx = installation.operatorContext();
      const litter = isForced
        ? await sweepStore(ctx, installation, { isForced })
        : await surveyStore(ctx, installation);
      if (flag(values, 'json')) printJson({ isMoved: isForced, ...keysOf(litter) });
      else for (const line of linesOf(litter, isForced)) printLine(line);
      return exitCodes.done;
    } finally {
      await installation.close();
    }
  },
};

function keysOf({ removable, young, unseen, held }: Litter) {
  const keys = (entries: BlobEntry[]) => entries.map(({ key }) => key);
  return { removable: keys(removable), young: keys(young), unseen: keys(unseen), held: held ?? null };
}

function linesOf({ removable, young, unseen, held }: Litter, isMoved: boolean): string[] {
  const found = [...removable, ...unseen];
  const named = found.slice(0, namedMax).map(({ key }) => `  ${key}`);
  if (found.length > namedMax) named.push(`  and ${found.length - namedMax} more`);
  const lines = [
    isMoved
      ? `${countOf(found.length, 'file')} moved to the trash.`
      : `${countOf(found.length, 'file')} that no row names.`,
    ...named,
  ];
  if (young.length > 0) lines.push(`${countOf(young.length, 'file')} younger than a day left alone.`);
  if (isMoved || found.length === 0) return lines;
  if (unseen.length > 0) {
    lines.push(`${countOf(unseen.length, 'file')} of these were stored after this database was backed up.`);
  }
  lines.push(
    held === undefined && unseen.length === 0
      ? 'The server moves them to the trash with its next sweep.'
      : `The server leaves them${held === undefined ? '' : `: ${held}`}. To move them to the trash: lectern store sweep --yes`,
  );
  return lines;
}
