import * as limits from '#contract/limits.ts';
import { slugOf } from '#contract/product-name.ts';
import type { Context } from '#server/context.ts';
import type { AgentRef } from '#server/features/search/index.ts';
import type { ToolNaming } from './tool-definitions.ts';

/** Who makes a call of the protocol, and in which conversation. */
export interface Caller {
  ctx: Context;
  agent: AgentRef;
  naming: ToolNaming;
}

export type Meta = Record<string, unknown>;

const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
/** How ChatGPT names a conversation in each call. */
const openaiSessionKey = 'openai/session';

/** Key of `_meta` in which the server tells, and a client may pass back, the name of a conversation. */
export function conversationKey(productName: string): string {
  return `${slugOf(productName).replaceAll('_', '-')}/conversation`;
}

/** The name of the conversation a call says it belongs to. */
export function handleIn(meta: Meta | undefined, productName: string): string | undefined {
  const handle = meta?.[conversationKey(productName)] ?? meta?.[openaiSessionKey];
  return typeof handle === 'string' && handle !== '' ? handle : undefined;
}

/** Key of `_meta` with which a client marks calls that are one: sent again, they are not charged again. */
export function idempotencyKeyIn(meta: Meta | undefined, productName: string): string | undefined {
  const key = meta?.[`${slugOf(productName).replaceAll('_', '-')}/idempotency-key`];
  if (typeof key !== 'string' || key === '') return undefined;
  return key.slice(0, limits.idempotencyKeyCharactersMax);
}

/** The client's name where a request carries it itself, as the session-less revision does. */
export function clientNameIn(meta: Meta | undefined): string | undefined {
  const info = meta?.[clientInfoKey];
  const name = typeof info === 'object' && info !== null && 'name' in info ? info.name : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** First word of a user agent: `openai-mcp` of `openai-mcp/1.0.0 (…)`. */
export function clientNameOfUserAgent(userAgent: string | null): string | undefined {
  const name = userAgent?.split(/[/\s(]/)[0] ?? '';
  return name === '' ? undefined : name;
}

/** Deep-research clients are known by their name, or by a key that was made for one. */
export function namingFor(ctx: Context, clientNames: (string | undefined)[]): ToolNaming {
  const isKeySet = ctx.actor.kind === 'key' && ctx.actor.clientKind === 'deep-research';
  const isNamed = clientNames.some((name) => name?.toLowerCase().startsWith('openai-mcp') === true);
  return isKeySet || isNamed ? 'deep-research' : 'product';
}
