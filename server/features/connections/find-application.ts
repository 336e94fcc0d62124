import type { ConsentRefusal } from '#contract/connections.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { requirePerson, requireWithinOwnRate } from '#server/features/accounts/index.ts';
import { isOver } from '#server/platform/db/has-come.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import {
  type Outbound,
  OutboundError,
  type OutboundErrorCode,
  type OutboundResponse,
} from '#server/platform/outbound/index.ts';
import { readClientMetadata } from './client-metadata.ts';
import { findClient, putDocumentClient } from './client-store.ts';
import { knownClientAt } from './known-clients.ts';
import { OauthFault } from './oauth-fault.ts';

/** An application that asks for access. */
export interface Application {
  clientId: string;
  name: string;
  /** Host of its published description; null if it registered and chose its name itself. */
  vouchedBy: string | null;
  redirectUris: string[];
  usesRefresh: boolean;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Settings for reading published descriptions. */
export interface DescriptionReader {
  outbound: Outbound;
  /**
   * False if applications must register instead, because this server cannot read the sites or its operator has disabled
   * it.
   */
  readsClientDocuments: boolean;
}

/**
 * Returns the application with a client id: a registered one, or one whose id is the https address of its published
 * description (OAuth Client ID Metadata Document). Descriptions are fetched through the address guard and cached as
 * long as their server allows, at least five minutes and at most a day. If the site is unreachable, the last version is
 * used for a month, then our copy for well-known clients. Otherwise returns the reason. Throws `rate-limited` if the
 * caller has too many descriptions read.
 */
export async function findApplication(
  ctx: Context,
  clientId: string,
  reader: DescriptionReader,
): Promise<Application | ConsentRefusal> {
  const address = documentAddress(clientId);
  if (address === 'refused') return 'client-unreadable';
  if (address !== undefined && !reader.readsClientDocuments) return 'client-documents-off';
  const known = await findClient(ctx.db.query, clientId);
  const lifetimeMsMax = limits.clientDocumentMinutesMax * minuteMs;
  const isFresh = address === undefined || !isOver(known?.readUntil ?? 0, ctx.clock.now(), lifetimeMsMax);
  const redirectUris = known && storedJson<string[] | undefined>(known.redirectUris, undefined);
  const kept = redirectUris && {
    clientId,
    name: known.name,
    vouchedBy: address?.host ?? null,
    redirectUris,
    usesRefresh: known.usesRefresh === 1,
  };
  if (kept !== undefined && isFresh) return kept;
  if (address === undefined) return 'client-unknown';
  const rules = { account: 'description-account', address: 'description-address' } as const;
  await requireWithinOwnRate(ctx, requirePerson(ctx), rules);
  const read = await readDocument(ctx, address, reader.outbound);
  if (read !== 'client-unreachable') return read;
  const isRecent = (known?.readUntil ?? 0) > ctx.clock.now() - limits.clientDocumentStaleDays * dayMs;
  if (kept !== undefined && isRecent) return kept;
  const copy = knownClientAt(clientId);
  return copy === undefined ? 'client-unreachable' : { clientId, vouchedBy: address.host, ...copy };
}

/**
 * Returns true if the client id's application may request tokens; the address of a description needs no registration.
 */
export async function isKnownClient(
  ctx: Context,
  clientId: string,
  { readsClientDocuments }: Pick<DescriptionReader, 'readsClientDocuments'>,
): Promise<boolean> {
  const address = documentAddress(clientId);
  if (address !== undefined) return address !== 'refused' && readsClientDocuments;
  return (await findClient(ctx.db.query, clientId)) !== undefined;
}

/**
 * Returns the address of a description; undefined for a registered application's id, 'refused' for an unsuitable
 * address.
 */
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

async function readDocument(ctx: Context, address: URL, outbound: Outbound): Promise<Application | ConsentRefusal> {
  const clientId = address.href;
  try {
    const response = await outbound.request(clientId, {
      headers: { accept: 'application/json' },
      // The address is the identity: the response of another address proves nothing.
      redirectsMax: 0,
      bytesMax: limits.clientDocumentBytesMax,
      timeoutMs: limits.clientDocumentTimeoutSeconds * 1000,
    });
    if (isTurnedAway(response)) {
      ctx.log.info({ status: response.status, clientId }, 'the site of an application refused this server');
      return 'client-unreachable';
    }
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
    return error instanceof OutboundError && !answersOfSite.has(error.code)
      ? 'client-unreachable'
      : 'client-unreadable';
  }
}

/** Errors caused by the site's response rather than by the connection to it. */
const answersOfSite: ReadonlySet<OutboundErrorCode> = new Set([
  'bad-url',
  'too-large',
  'too-many-redirects',
  'redirect-loop',
  'insecure-redirect',
  'decode-failed',
]);

/**
 * Returns true for statuses with which protected sites refuse servers in data centres; 404 and 410 mean that there is
 * no description.
 */
function isTurnedAway({ status }: OutboundResponse): boolean {
  return status >= 500 || status === 401 || status === 403 || status === 408 || status === 429;
}

function jsonOf(response: OutboundResponse, clientId: string): object {
  const type = response.headers['content-type'] ?? '';
  if (response.status !== 200 || !/^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new OauthFault('invalid_client_metadata', `The response was ${response.status}, ${type.slice(0, 80)}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(response.body));
  } catch (cause) {
    throw new OauthFault('invalid_client_metadata', 'The description is not JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || !('client_id' in value) || value.client_id !== clientId) {
    throw new OauthFault('invalid_client_metadata', 'The description has a different client_id.');
  }
  if ('client_secret' in value) {
    throw new OauthFault('invalid_client_metadata', 'A published description cannot contain a secret.');
  }
  return value;
}

function lifetimeMs(response: OutboundResponse): number {
  const seconds = Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(response.headers['cache-control'] ?? '')?.[1] ?? 0);
  const { clientDocumentMinutesMin: least, clientDocumentMinutesMax: most } = limits;
  return Math.min(Math.max(seconds * 1000, least * minuteMs), most * minuteMs);
}
