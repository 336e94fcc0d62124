import type { ConsentRefusal } from '#contract/connections.ts';
import { limits } from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { type Outbound, OutboundError, type OutboundResponse } from '#server/platform/outbound/index.ts';
import { readClientMetadata } from './client-metadata.ts';
import { findClient, putDocumentClient } from './client-store.ts';
import { OauthFault } from './oauth-fault.ts';

/** An application that asks to be let in. */
export interface Application {
  clientId: string;
  name: string;
  /** Host of the description it publishes; null when it registered and chose its name itself. */
  vouchedBy: string | null;
  redirectUris: string[];
  usesRefresh: boolean;
}

const minuteMs = 60_000;

/**
 * The application of a client id: one that registered, or the https address of a description it publishes (OAuth Client
 * ID Metadata Document), which is fetched through the address guard and kept for as long as its server allows, at
 * least five minutes and at most a day. Answers why there is none.
 */
export async function findApplication(
  ctx: Context,
  clientId: string,
  outbound: Outbound,
): Promise<Application | ConsentRefusal> {
  const address = documentAddress(clientId);
  if (address === 'refused') return 'client-unreadable';
  const known = await findClient(ctx.db.query, clientId);
  const isFresh = address === undefined || (known?.readUntil ?? 0) > ctx.clock.now();
  if (known !== undefined && isFresh) {
    return {
      clientId,
      name: known.name,
      vouchedBy: address?.host ?? null,
      redirectUris: JSON.parse(known.redirectUris) as string[],
      usesRefresh: known.usesRefresh === 1,
    };
  }
  if (address === undefined) return 'client-unknown';
  return (await readDocument(ctx, address, outbound)) ?? 'client-unreadable';
}

/** Whether a client id names an application that may come for tokens; that of a description stands for itself. */
export async function isKnownClient(ctx: Context, clientId: string): Promise<boolean> {
  const address = documentAddress(clientId);
  if (address !== undefined) return address !== 'refused';
  return (await findClient(ctx.db.query, clientId)) !== undefined;
}

/** Undefined for the id of a registered application; 'refused' for an address that no description may have. */
function documentAddress(clientId: string): URL | 'refused' | undefined {
  if (!clientId.includes(':')) return undefined;
  const url = URL.parse(clientId);
  const isUsable =
    url?.protocol === 'https:' &&
    url.href === clientId &&
    url.pathname !== '/' &&
    url.username === '' &&
    url.password === '' &&
    !clientId.includes('#') &&
    clientId.length <= limits.clientRedirectCharactersMax;
  return url !== null && isUsable ? url : 'refused';
}

async function readDocument(ctx: Context, address: URL, outbound: Outbound): Promise<Application | undefined> {
  const clientId = address.href;
  try {
    const response = await outbound.request(clientId, {
      headers: { accept: 'application/json' },
      // The address is the identity: what another one answers says nothing about it.
      redirectsMax: 0,
      bytesMax: limits.clientDocumentBytesMax,
      timeoutMs: limits.clientDocumentTimeoutSeconds * 1000,
    });
    const metadata = readClientMetadata(jsonOf(response, clientId));
    const now = ctx.clock.now();
    await putDocumentClient(ctx.db.query, {
      id: clientId,
      kind: 'document',
      name: metadata.name,
      redirectUris: JSON.stringify(metadata.redirectUris),
      usesRefresh: Number(metadata.usesRefresh),
      createdAt: now,
      readUntil: now + lifetimeMs(response),
    });
    return { clientId, vouchedBy: address.host, ...metadata };
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof OauthFault)) throw error;
    ctx.log.info({ err: error, clientId }, 'the description of an application could not be read');
    return undefined;
  }
}

function jsonOf(response: OutboundResponse, clientId: string): object {
  const type = response.headers['content-type'] ?? '';
  if (response.status !== 200 || !/^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new OauthFault('invalid_client_metadata', `The answer was ${response.status}, ${type.slice(0, 80)}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(response.body));
  } catch (cause) {
    throw new OauthFault('invalid_client_metadata', 'The description is not JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || !('client_id' in value) || value.client_id !== clientId) {
    throw new OauthFault('invalid_client_metadata', 'The description is of another client_id.');
  }
  if ('client_secret' in value) {
    throw new OauthFault('invalid_client_metadata', 'A published description can hold no secret.');
  }
  return value;
}

function lifetimeMs(response: OutboundResponse): number {
  const seconds = Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(response.headers['cache-control'] ?? '')?.[1] ?? 0);
  const { clientDocumentMinutesMin: least, clientDocumentMinutesMax: most } = limits;
  return Math.min(Math.max(seconds * 1000, least * minuteMs), most * minuteMs);
}
