import type { Context } from '#server/context.ts';
import { type SealingKeys, unseal } from '#server/platform/sealing.ts';
import { listSealedKeys } from './store.ts';

/** How many stored API keys can be shown again, and how many were sealed with a secret that is not known here. Changes nothing. */
export async function checkSealedKeys(
  ctx: Pick<Context, 'db'>,
  sealingKeys: SealingKeys,
): Promise<{ opened: number; sealedElsewhere: number }> {
  const rows = await listSealedKeys(ctx.db.query);
  const opened = rows.filter(({ id, keySealed }) => unseal(sealingKeys, id, keySealed) !== undefined).length;
  return { opened, sealedElsewhere: rows.length - opened };
}
