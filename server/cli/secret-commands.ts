import type { SealCounts } from '#server/features/maintenance/index.ts';
import { DataFolderError, hasSecret } from '#server/platform/data-folder.ts';
import { requireInstallation } from '#server/platform/require-installation.ts';
import { type Command, exitCodes, jsonOption, printJson, printLine } from './command.ts';
import { table } from './table.ts';
import { flag, UsageError } from './usage.ts';

export const secretRenewCommand: Command = {
  shape: {
    name: 'secret renew',
    positionals: [],
    summary: 'Re-encrypts stored values with the current key, and says when you can remove the former one.',
    details:
      'First set LECTERN_SECRET=new,former for every process of the installation and for this command. You can run it while the servers run, and repeat it. Exits with 1 while a value still needs a former key.',
    options: {
      'new-webhook-key': {
        type: 'boolean',
        help: 'if the secret is lost: list the values that no key can decrypt; with --yes, create a new key for webhooks and links',
      },
      yes: { type: 'boolean', help: 'with --new-webhook-key: the secret is lost for good' },
      ...jsonOption,
    },
  },
  async run({ values, config }) {
    const [isLost, isSure] = [flag(values, 'new-webhook-key'), flag(values, 'yes')];
    if (!isLost && (config.secrets === undefined || config.secrets.length < 2)) {
      throw new UsageError(
        'set LECTERN_SECRET to the new key, a comma and the former key; if it was not set, the former key is the content of the file secret in the data folder',
      );
    }
    if (isSure && !isLost) throw new UsageError('--yes goes with --new-webhook-key');
    await requireInstallation(config);
    const [
      { openInstallation },
      { countSealed, isOurSecret, renewSecrets, unopenedIn },
      { replaceLostLastingKey, requireLastingKey },
    ] = await Promise.all([
      import('#server/main.ts'),
      import('#server/features/maintenance/index.ts'),
      import('#server/platform/lasting-key.ts'),
    ]);
    const isMissing = config.secrets === undefined && !hasSecret(config.dataFolder);
    const installation = await openInstallation(config, isLost ? { missingSecret: isSure ? 'make' : 'look' } : {});
    try {
      const { base, sealingKeys } = installation;
      if (isLost && !isSure && (isMissing || !(await isOurSecret(base, sealingKeys)))) {
        throw new DataFolderError('secret-missing', notSure(unopenedIn(await countSealed(base, sealingKeys))));
      }
      const isReplaced = isSure && (await replaceLostLastingKey(base.db.query, sealingKeys));
      // Servers detect a different secret by this key.
      if (isSure) await requireLastingKey(base.db.query, sealingKeys);
      const counts = await renewSecrets(base, sealingKeys);
      const isDone = Object.values(counts).every(({ former, none }) => former + (isSure ? 0 : none) === 0);
      const lines = [...(isReplaced ? [replacedLine] : []), ...linesOf(counts, isDone, isSure)];
      if (flag(values, 'json')) printJson({ isDone, counts, isReplaced });
      else for (const line of lines) printLine(line);
      return isDone ? exitCodes.done : exitCodes.failed;
    } finally {
      await installation.close();
    }
  },
};

function notSure(unopened: string[]): string {
  const opens = unopened.length === 0 ? '' : ` No key here decrypts ${unopened.join(', ')}.`;
  return `${opens} If the secret still exists, for example in another process or a backup, set LECTERN_SECRET or restore the file secret; then nothing is lost. If it is lost for good, run this again with --yes: it creates a new key. Webhooks must then be set up again, and users must enter the other secrets again.`.trimStart();
}

const replacedLine =
  'Created a new key for webhooks and links. Set webhooks up again on their screens; unsubscribe links in emails sent before no longer work.';

function linesOf(counts: SealCounts, isDone: boolean, isLost: boolean): string[] {
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
      'Keep the former key. The values that no key can decrypt were encrypted with another one: add it after a comma, and run this again.',
    );
    return lines;
  }
  if (isLost) {
    lines.push(
      'The values that no key can decrypt are lost: API keys still work but are never shown again, and users must enter the other secrets again.',
    );
    return lines;
  }
  lines.push(
    'Once every process runs with both keys, remove the former key from LECTERN_SECRET and restart the processes.',
  );
  return lines;
}
