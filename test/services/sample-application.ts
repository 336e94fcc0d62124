import { createHash } from 'node:crypto';
import type { Actor, Context } from '#server/context.ts';
import { answerConsent, type ConsentParts } from '#server/features/connections/consent.ts';
import { exchangeCode, registerClient } from '#server/features/connections/index.ts';
import { createOwnAddresses } from '#server/features/connections/own-addresses.ts';
import type { Database } from '#server/platform/db/database.ts';
import { createOutbound, type Outbound } from '#server/platform/outbound/index.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { freshDatabase } from './database.ts';
import { silentLog } from './log.ts';

/** Test support: an application and the users who authorize it. */
export type Sample = Context & { clock: SettableClock };

export const publicUrl = 'https://docs.example';
export const addresses = createOwnAddresses(publicUrl);
/** Parameters for refreshes, with the same key in every test. */
export const refreshParts = { addresses, sealingKeys: [new Uint8Array(32).fill(7)] as const };
export const redirectUri = 'http://127.0.0.1/callback';
export const verifier = 'a'.repeat(43);
export const challenge = createHash('sha256').update(verifier).digest('base64url');

export function partsWith(outbound: Outbound = createOutbound({ allowHosts: [], userAgent: 'test' })): ConsentParts {
  return { addresses, outbound, readsClientDocuments: true };
}

/** Creates Anna and Bert with verified addresses, Carl without; the context acts as Anna. */
export async function people(kind: Database['kind']): Promise<Sample> {
  const db = await freshDatabase(kind);
  for (const id of ['anna', 'bert', 'carl']) {
    const emailVerifiedAt = id === 'carl' ? null : 1;
    await db.query.insertInto('users').values({ id, emailVerifiedAt, createdAt: 0 }).execute();
  }
  const ctx = { db, clock: createSettableClock(), log: silentLog, requestId: 'r' };
  return { ...ctx, actor: { kind: 'user', userId: 'anna' }, workspace: 'user:anna' };
}

export function as(ctx: Sample, userId: string, actor: Actor = { kind: 'user', userId }): Sample {
  return { ...ctx, actor, workspace: `user:${userId}` };
}

export async function register(ctx: Sample, metadata: Record<string, unknown> = {}): Promise<string> {
  const { clientId } = await registerClient(
    ctx,
    { client_name: 'Editor', redirect_uris: [redirectUri], ...metadata },
    '192.0.2.1',
  );
  return clientId;
}

/** Returns a valid authorization request's query with these changes. */
export function requestOf(clientId: string, changes: Record<string, string | undefined> = {}): string {
  const params = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the state',
    resource: `${publicUrl}/mcp`,
    ...changes,
  };
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}

/** Authorizes the application; returns the parameters it gets. */
export async function allow(ctx: Sample, request: string, parts = partsWith()): Promise<URLSearchParams> {
  const { url } = await answerConsent(ctx, { request, isAllowed: true, workspaceId: 'individual' }, parts);
  return new URL(url).searchParams;
}

export function codeOf(answer: URLSearchParams): string {
  const code = answer.get('code');
  if (code === null) throw new Error(`no code in ${answer.toString()}`);
  return code;
}

/** Connects an application; returns its id and its tokens. */
export async function connected(ctx: Sample, metadata: Record<string, unknown> = {}) {
  const clientId = await register(ctx, metadata);
  const code = codeOf(await allow(ctx, requestOf(clientId)));
  const exchange = { clientId, code, codeVerifier: verifier, redirectUri, resource: undefined };
  return { clientId, code, exchange, tokens: await exchangeCode(ctx, exchange, addresses) };
}
