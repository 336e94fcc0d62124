import { createHash } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { type Context, credentialOf } from '#server/context.ts';

/** How a call is recognised when it comes again. */
export interface CallIdentity {
  fingerprint: string;
  /** How long after its charge the same call counts as a retry of it. */
  windowMs: number;
}

/**
 * Two calls are one when the same client with the same key (or the same person) calls the same tool with the same arguments within a short time:
 * clients send a retry under a new request id. An idempotency key of the caller holds longer, for these arguments only,
 * so that it cannot be used to search for something else without paying.
 */
export function callIdentity(
  ctx: Context,
  call: { tool: string; args: Record<string, unknown>; clientName: string },
): CallIdentity {
  const credential = credentialOf(ctx.actor);
  const person = ctx.actor.kind === 'anonymous' ? '' : ctx.actor.userId;
  const caller = `${ctx.actor.kind}:${credential?.id ?? person}`;
  const sorted = Object.entries(call.args).sort(([a], [b]) => (a < b ? -1 : 1));
  // In a team the same words find other things: asked there and elsewhere they are two calls.
  const place = ctx.membership === undefined ? [] : [ctx.membership.teamId];
  const parts = [caller, call.clientName, call.tool, sorted, ctx.idempotencyKey ?? null, ...place];
  return {
    fingerprint: createHash('sha256').update(JSON.stringify(parts)).digest('base64url'),
    windowMs:
      ctx.idempotencyKey === undefined ? limits.retryWindowSeconds * 1_000 : limits.idempotencyKeyHours * 3_600_000,
  };
}
