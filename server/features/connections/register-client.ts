import type { Context } from '#server/context.ts';
import { countAttempts, newToken } from '#server/features/accounts/index.ts';
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts';
import { deleteIdleClients, insertClient } from './client-store.ts';
import { OauthFault } from './oauth-fault.ts';

/**
 * Registers an application with its own metadata (RFC 7591); open to anyone. It gets no secret and no access until a
 * user allows it, so there is no audit entry. Limited per network address and in total, and unused registrations are
 * deleted. Throws OauthFault.
 */
export async function registerClient(
  ctx: Context,
  input: unknown,
  networkAddress: string,
): Promise<ClientMetadata & { clientId: string; createdAt: number }> {
  const metadata = readClientMetadata(input);
  const retryAfterSeconds = await countAttempts(ctx, [['application-address', networkAddress], ['application-all']]);
  if (retryAfterSeconds !== undefined) {
    const message = 'Too many applications have registered recently. Try again later.';
    throw new OauthFault('temporarily_unavailable', message, { retryAfterSeconds });
  }
  const createdAt = ctx.clock.now();
  const clientId = `app_${newToken().slice(0, 22)}`;
  await ctx.db.transaction(async (tx) => {
    await deleteIdleClients(tx, createdAt);
    await insertClient(tx, {
      id: clientId,
      kind: 'registered',
      name: metadata.name,
      redirectUris: JSON.stringify(metadata.redirectUris),
      usesRefresh: Number(metadata.usesRefresh),
      createdAt,
    });
  });
  return { ...metadata, clientId, createdAt };
}
