import { z } from 'zod';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { countAttempts, newToken } from '#server/features/accounts/index.ts';
import { deleteIdleClients, insertClient } from './client-store.ts';
import { OauthFault } from './oauth-fault.ts';
import { describeRedirect } from './redirect-address.ts';

/** The stored part of an application's metadata (RFC 7591). */
export interface ClientMetadata {
  name: string;
  redirectUris: string[];
  usesRefresh: boolean;
}

const metadataSchema = z.object({
  redirect_uris: z.array(z.string()).min(1).max(limits.clientRedirectsMax),
  client_name: z.string().optional(),
  grant_types: z.array(z.string().max(100)).max(20).optional(),
  response_types: z.array(z.string().max(100)).max(20).optional(),
});

/** Reads metadata from a registration or a published description. Throws OauthFault if it is unsupported. */
export function readClientMetadata(value: unknown): ClientMetadata {
  const parsed = metadataSchema.safeParse(value);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path[0];
    throw field === 'redirect_uris'
      ? new OauthFault('invalid_redirect_uri', `Name 1 to ${limits.clientRedirectsMax} redirect_uris.`)
      : new OauthFault('invalid_client_metadata', `${String(field ?? 'The body')} does not conform to RFC 7591.`);
  }
  const { redirect_uris: redirectUris, grant_types: grants, response_types: responses } = parsed.data;
  for (const [index, uri] of redirectUris.entries()) {
    if (describeRedirect(uri) !== undefined) continue;
    throw new OauthFault(
      'invalid_redirect_uri',
      `redirect_uris[${index}] must be an https address, an http address on the loopback interface, or an address with a private scheme, without a fragment.`,
    );
  }
  if (grants !== undefined && !grants.includes('authorization_code')) {
    throw new OauthFault('invalid_client_metadata', 'grant_types must include authorization_code.');
  }
  if (responses !== undefined && !responses.includes('code')) {
    throw new OauthFault('invalid_client_metadata', 'response_types must include code.');
  }
  return {
    name: readableName(parsed.data.client_name ?? '', redirectUris[0] ?? ''),
    redirectUris: [...new Set(redirectUris)],
    // By default RFC 7591 allows only authorization_code; clients that omit the field refresh nevertheless.
    usesRefresh: grants === undefined || grants.includes('refresh_token'),
  };
}

/**
 * Returns a name of limited length, without control or direction characters, double quotes, and invisible or combining
 * padding.
 */
function readableName(name: string, fallback: string): string {
  const plain = name
    // Normalizing long runs of marks, some of which only become marks by normalization, would take seconds.
    .replace(/([\p{M}\uff9e\uff9f]{2})[\p{M}\uff9e\uff9f]+/gu, '$1')
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu, ' ')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    // The consent page quotes the name: a quote in it would let the name go on as text of the page.
    .replace(/[“”„‟«»"]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  const shown = [...(plain === '' ? (describeRedirect(fallback)?.target ?? '') : plain)];
  const { clientNameCharactersMax: most } = limits;
  return shown.length > most ? `${shown.slice(0, most - 1).join('')}…` : shown.join('');
}

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
