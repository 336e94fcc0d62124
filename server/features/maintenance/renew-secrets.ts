import type { Context } from '#server/context.ts';
import { listSealedTokens } from '#server/features/hosting/index.ts';
import { listSealedKeys } from '#server/features/keys/index.ts';
import { listSealedSignOns } from '#server/features/sign-on/index.ts';
import { listSealedCredentials } from '#server/features/source-credentials/index.ts';
import { listSealedLastingKey } from '#server/platform/lasting-key.ts';
import { listSealedMails } from '#server/platform/mail/lasting-mailer.ts';
import { keyOfSealed, type SealedValue, type SealingKeys, seal, unseal } from '#server/platform/sealing.ts';

/** The number of stored secrets that each key opens, by their kind. */
export type SealCounts = Record<string, { current: number; former: number; none: number }>;

/** Counts which key each stored secret is sealed with. Read-only. */
export async function countSealed(ctx: Pick<Context, 'db'>, keys: SealingKeys): Promise<SealCounts> {
  const counts: SealCounts = {};
  for (const value of await listSealedValues(ctx)) {
    counts[value.what] ??= { current: 0, former: 0, none: 0 };
    (counts[value.what] as SealCounts[string])[keyOfSealed(keys, value)] += 1;
  }
  return counts;
}

/** Returns the kinds and numbers of secrets that none of the keys opens, such as `2 API keys`. */
export function unopenedIn(counts: SealCounts): string[] {
  return Object.entries(counts).flatMap(([what, { none }]) => (none > 0 ? [`${none} ${what}`] : []));
}

/**
 * Returns true if a process has the installation's secret, or if nothing is sealed yet. If only some of several secrets
 * are known, the current one decides.
 */
export async function isOurSecret(ctx: Pick<Context, 'db'>, keys: SealingKeys): Promise<boolean> {
  const [lasting] = await listSealedLastingKey(ctx.db.query);
  if (lasting !== undefined) return keyOfSealed(keys, lasting) !== 'none';
  const counts = Object.values(await countSealed(ctx, keys));
  return counts.length === 0 || counts.some(({ current, former }) => current + former > 0);
}

/** Logs an error if this process has another secret than the one that stored secrets were encrypted with. */
export async function reportUnopened(ctx: Pick<Context, 'db' | 'log'>, keys: SealingKeys): Promise<void> {
  const unopened = unopenedIn(await countSealed(ctx, keys));
  if (unopened.length === 0) return;
  ctx.log.error(
    `cannot decrypt ${unopened.join(', ')}: this process has a different secret from the one that encrypted them; set LECTERN_SECRET, or restore the file secret`,
  );
}

/**
 * Re-seals everything sealed with a former key with the current one, and returns the counts afterwards. Safe while
 * servers with the same keys are running, and after an interruption.
 */
export async function renewSecrets(ctx: Pick<Context, 'db'>, keys: SealingKeys): Promise<SealCounts> {
  for (const value of await listSealedValues(ctx)) {
    if (keyOfSealed(keys, value) !== 'former') continue;
    await value.replace(seal(keys, value.label, unseal(keys, value.label, value.sealed) ?? ''));
  }
  return countSealed(ctx, keys);
}

async function listSealedValues({ db }: Pick<Context, 'db'>): Promise<SealedValue[]> {
  const lists = [
    ...[listSealedKeys, listSealedCredentials, listSealedSignOns, listSealedTokens, listSealedMails],
    listSealedLastingKey,
  ];
  return (await Promise.all(lists.map((list) => list(db.query)))).flat();
}
