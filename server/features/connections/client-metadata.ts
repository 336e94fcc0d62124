import { z } from 'zod';
import * as limits from '#contract/limits.ts';
import { OauthFault } from './oauth-fault.ts';
import { describeRedirect } from './redirect-address.ts';

/** What is kept of the metadata an application gives of itself (RFC 7591); the rest of it is of no use here. */
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

/** Reads metadata from a registration or a published description. Throws OauthFault for what cannot be served. */
export function readClientMetadata(value: unknown): ClientMetadata {
  const parsed = metadataSchema.safeParse(value);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path[0];
    throw field === 'redirect_uris'
      ? new OauthFault('invalid_redirect_uri', `Name 1 to ${limits.clientRedirectsMax} redirect_uris.`)
      : new OauthFault('invalid_client_metadata', `${String(field ?? 'The body')} is not as RFC 7591 has it.`);
  }
  const { redirect_uris: redirectUris, grant_types: grants, response_types: responses } = parsed.data;
  for (const [index, uri] of redirectUris.entries()) {
    if (describeRedirect(uri) !== undefined) continue;
    throw new OauthFault(
      'invalid_redirect_uri',
      `redirect_uris[${index}] must be an https address, an http address on the loopback interface, or have a scheme of your own; without fragment.`,
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
    // RFC 7591 has authorization_code alone as the default; clients that leave the field out refresh all the same.
    usesRefresh: grants === undefined || grants.includes('refresh_token'),
  };
}

/** A name that shows as what it is: no control or direction marks, no invisible or combining padding, of limited length. */
function readableName(name: string, fallback: string): string {
  const plain = name
    // Long runs of marks, some of which are none before they are normalised, would be sorted for seconds.
    .replace(/([\p{M}\uff9e\uff9f]{2})[\p{M}\uff9e\uff9f]+/gu, '$1')
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu, ' ')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const shown = [...(plain === '' ? (describeRedirect(fallback)?.target ?? '') : plain)];
  const { clientNameCharactersMax: most } = limits;
  return shown.length > most ? `${shown.slice(0, most - 1).join('')}…` : shown.join('');
}
