import {
  getOAuthProtectedResourceMetadataUrl,
  type OAuthMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/server';
import { connectionScope, offlineScope } from '#contract/connections.ts';
import type { OwnAddress } from '#server/features/connections/index.ts';

/** Where each end point for applications is, on the issuer's address. */
export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** Address of the description of the MCP end point (RFC 9728), as a 401 of it names. */
export function metadataAddressOf({ resource }: OwnAddress): string {
  return getOAuthProtectedResourceMetadataUrl(new URL(resource));
}

/** The MCP end point described for applications (RFC 9728). */
export function resourceMetadata(
  { issuer, resource }: OwnAddress,
  productName: string,
): OAuthProtectedResourceMetadata {
  return {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: [connectionScope],
    resource_name: productName,
  };
}

/** The authorization server described for applications (RFC 8414). */
export function serverMetadata({ issuer }: OwnAddress, readsClientDocuments: boolean): OAuthMetadata {
  return {
    issuer,
    authorization_endpoint: `${issuer}${oauthPaths.authorize}`,
    token_endpoint: `${issuer}${oauthPaths.token}`,
    registration_endpoint: `${issuer}${oauthPaths.register}`,
    revocation_endpoint: `${issuer}${oauthPaths.revoke}`,
    scopes_supported: [connectionScope, offlineScope],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: readsClientDocuments,
  };
}
