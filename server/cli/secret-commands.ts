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
    options: {
      'new-webhook-key': {
        type: 'boolean',
        help: 'make a new key of webhooks and links where no key opens the present one; also without a former key',
      },
      ...jsonOption,
    },
  },
  async run({ values, config }) {
    const replacesLost = flag(values, 'new-webhook-key');
    if (!replacesLost && (config.secrets === undefined || config.secrets.length < 2)) {
      throw new UsageError(
        'set LECTERN_SECRET to the new key and, after a comma, the former one: without it that is the text of the file secret in the data folder',
      );
    }
    const [{ openInstallation }, { renewSecrets }, { replaceLostLastingKey }] = await Promise.all([
      import('#server/main.ts'),
      import('#server/features/maintenance/index.ts'),
      import('#server/platform/lasting-key.ts'),
    ]);
    const installation = await openInstallation(config);
    try {
      const { base, sealingKeys } = installation;
      const isReplaced = replacesLost && (await replaceLostLastingKey(base.db.query, sealingKeys));
      const counts = await renewSecrets(base, sealingKeys);
      const isDone = Object.values(counts).every(({ former, none }) => former + none === 0);
      const lines = isReplaced ? [replacedLine, ...linesOf(counts, isDone)] : linesOf(counts, isDone);
      if (flag(values, 'json')) printJson({ isDone, counts, isReplaced });
      else for (const line of lines) printLine(line);
      return isDone ? exitCodes.done : exitCodes.failed;
    } finally {
      await installation.close();
    }
  },
};

const replacedLine =
  'A new key of webhooks and links was made. Set webhooks up again on their screens; links to unsubscribe in mails sent before no longer work.';

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
