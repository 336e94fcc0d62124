import { z } from 'zod';
import * as limits from '#contract/limits.ts';
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
