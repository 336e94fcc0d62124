import { type Context, isProgram } from '#server/context.ts';
import { requireWithinRate } from '#server/features/accounts/index.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { Caching } from '../call.ts';

/** Tokens (o200k_base) of what is shown of a page, and of the whole page. */
interface Shown {
  tokens: number;
  wholePageTokens: number;
}

/**
 * Shows a page. A person at a browser sees it for nothing, within limits (`rate-limited`), and so does a visitor. A
 * program that acts with a key, a connection or a token pays as for a read, wherever it reads.
 */
export async function showPage<T>(
  ctx: Context,
  { url, address, args }: { url: string; address: string; args?: Record<string, unknown> },
  meter: CallMeter,
  show: () => Promise<{ answer: T; shown: Shown }>,
): Promise<T> {
  if (!isProgram(ctx.actor)) {
    const { actor } = ctx;
    const viewer =
      actor.kind === 'anonymous' ? (['view-address', address] as const) : (['view-account', actor.userId] as const);
    await requireWithinRate(ctx, [[...viewer]]);
    return (await show()).answer;
  }
  const call = { tool: 'read' as const, args: { url, ...args }, clientName: '' };
  await meter.admit(ctx, call);
  const { answer, shown } = await show();
  await meter.settle(ctx, call, { ...shown, withheldTokens: 0, hasContent: shown.tokens > 0 });
  return answer;
}

/** Pages of private modules are cached nowhere, and a signed-in reader's public pages in their browser only. */
export function cachingOf(ctx: Context, modules: { visibility: 'public' | 'private' }[]): Caching | undefined {
  if (modules.some(({ visibility }) => visibility === 'private')) return undefined;
  return ctx.actor.kind === 'anonymous' ? 'shared' : 'own';
}
