import type { ApiKey } from '#contract/keys.ts';
import type { Context } from '#server/context.ts';
import { requireKeyOwner } from './policy.ts';
import { presentApiKey } from './present.ts';
import type { SealingKeys } from './seal.ts';
import { listApiKeyRows } from './store.ts';

/** The acting person's keys, newest first, revoked ones included. */
export async function listApiKeys(
  ctx: Context,
  input: { teamId?: string | undefined },
  sealingKeys: SealingKeys,
): Promise<ApiKey[]> {
  const rows = await listApiKeyRows(ctx.db.query, requireKeyOwner(ctx, input).userId);
  return rows.map((row) => presentApiKey(row, sealingKeys));
}
