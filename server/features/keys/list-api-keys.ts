import type { ApiKey } from '#contract/keys.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { requireKeyOwner } from './policy.ts';
import { presentApiKey } from './present.ts';
import { listApiKeyRows, listApiKeyRowsOfMaker } from './store.ts';

/**
 * The acting person's keys, newest first, revoked ones included: their own ones, or those of a team; an admin gets the
 * keys of everyone in the team, but none of them in full.
 */
export async function listApiKeys(
  ctx: Context,
  input: { teamId?: string | undefined },
  sealingKeys: SealingKeys,
): Promise<ApiKey[]> {
  const owner = await requireKeyOwner(ctx, input);
  const rows = await listApiKeyRows(ctx.db.query, owner);
  return rows.map((row) => presentApiKey(row, owner.userId, sealingKeys));
}

/** All keys the acting person made, for themselves and in any team, also in those they have left. */
export async function listKeysOfMaker(ctx: Context, sealingKeys: SealingKeys): Promise<ApiKey[]> {
  const userId = requirePerson(ctx);
  const rows = await listApiKeyRowsOfMaker(ctx.db.query, userId);
  return rows.map((row) => presentApiKey(row, userId, sealingKeys));
}
