import type { SealCounts } from '#server/features/maintenance/index.ts';
import { type Command, exitCodes, jsonOption, printJson, printLine } from './command.ts';
import { table } from './table.ts';
import { flag, UsageError } from './usage.ts';

export const secretRenewCommand: Command = {
  shape: {
    name: 'secret renew',
    positionals: [],
    summary:
      'Encrypts everything that is stored under a former key with the current one, and says when the former may go.',
    details:
      'Needs LECTERN_SECRET=new,former, as every process of the installation has it by then. May run beside the servers, and again. Ends with 1 while something still needs a former key.',
    options: { ...jsonOption },
  },
  async run({ values, config }) {
    if (config.secrets === undefined || config.secrets.length < 2) {
      throw new UsageError(
        'set LECTERN_SECRET to the new key and, after a comma, the former one: without it that is the text of the file secret in the data folder',
      );
    }
    const [{ openInstallation }, { renewSecrets }] = await Promise.all([
      import('#server/main.ts'),
      import('#server/features/maintenance/index.ts'),
    ]);
    const installation = await openInstallation(config);
    try {
      const counts = await renewSecrets(installation.base, installation.sealingKeys);
      const isDone = Object.values(counts).every(({ former, none }) => former + none === 0);
      if (flag(values, 'json')) printJson({ isDone, counts });
      else for (const line of linesOf(counts, isDone)) printLine(line);
      return isDone ? exitCodes.done : exitCodes.failed;
    } finally {
      await installation.close();
    }
  },
};

function linesOf(counts: SealCounts, isDone: boolean): string[] {
  const rows = Object.entries(counts).map(([what, { current, former, none }]) => [
    what,
    String(current),
    String(former),
    String(none),
  ]);
  const lines =
    rows.length === 0
      ? ['Nothing is stored encrypted.']
      : [table(['', 'current key', 'former key', 'no key'], rows, new Set([1, 2, 3]))];
  if (!isDone) {
    lines.push(
      'Keep the former key. What no key opens was encrypted with yet another: add that after a comma, and run this again.',
    );
    return lines;
  }
  lines.push(
    'The former key may go once every process runs with both: leave it out of LECTERN_SECRET, and start them again.',
  );
  return lines;
}
