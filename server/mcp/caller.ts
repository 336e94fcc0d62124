import * as limits from '#contract/limits.ts';
import { slugOf } from '#contract/product-name.ts';
import type { Context } from '#server/context.ts';
import type { AgentRef } from '#server/features/search/index.ts';
import type { ToolNaming } from './tool-definitions.ts';

/** The sender of a protocol call, and the call's conversation. */
export interface Caller {
  ctx: Context;
  agent: AgentRef;
  naming: ToolNaming;
}

export type Meta = Record<string, unknown>;

const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
/** The `_meta` key in which ChatGPT names the conversation of each call. */
const openaiSessionKey = 'openai/session';

/** Returns the `_meta` key with which the server names a conversation, and which clients may send back. */
export function conversationKey(productName: string): string {
  return `${slugOf(productName).replaceAll('_', '-')}/conversation`;
}

/** Returns the name of the conversation that a call belongs to. */
export function handleIn(meta: Meta | undefined, productName: string): string | undefined {
  const handle = meta?.[conversationKey(productName)] ?? meta?.[openaiSessionKey];
  return typeof handle === 'string' && handle !== '' ? handle : undefined;
}

/** Returns the idempotency key from `_meta`: repeated calls with the same key are charged once. */
export function idempotencyKeyIn(meta: Meta | undefined, productName: string): string | undefined {
  const key = meta?.[`${slugOf(productName).replaceAll('_', '-')}/idempotency-key`];
  if (typeof key !== 'string' || key === '') return undefined;
  return key.slice(0, limits.idempotencyKeyCharactersMax);
}

/** Returns the client's name from a request that carries it, as in the session-less revision. */
export function clientNameIn(meta: Meta | undefined): string | undefined {
  const info = meta?.[clientInfoKey];
  const name = typeof info === 'object' && info !== null && 'name' in info ? info.name : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Returns the first word of a user agent: `openai-mcp` of `openai-mcp/1.0.0 (…)`. */
export function clientNameOfUserAgent(userAgent: string | null): string | undefined {
  const name = userAgent?.split(/[/\s(]/)[0] ?? '';
  return name === '' ? undefined : name;
}

/** Returns the naming for a client; deep-research clients are recognized by name, or by a key created for one. */
export function namingFor(ctx: Context, clientNames: (string | undefined)[]): ToolNaming {
  const isKeySet = ctx.actor.kind === 'key' && ctx.actor.clientKind === 'deep-research';
  const isNamed = clientNames.some((name) => name?.toLowerCase().startsWith('openai-mcp') === true);
  return isKeySet || isNamed ? 'deep-research' : 'product';
}
