import { type Context, isProgram } from '#server/context.ts';
import { requireWithinRate } from '#server/features/accounts/index.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { Caching } from '../call.ts';

/** Tokens (o200k_base) of the part shown, and of the whole page. */
interface Shown {
  tokens: number;
  wholePageTokens: number;
}

/**
 * Shows a page. Visitors and users in a browser view it for free, within limits (`rate-limited`). A program that acts
 * with a key, a connection or a token is charged as for a read, at every address.
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

/**
 * Returns the caching rule: pages of private modules are not cached, and public pages only in a signed-in reader's
 * browser.
 */
export function cachingOf(ctx: Context, modules: { visibility: 'public' | 'private' }[]): Caching | undefined {
  if (modules.some(({ visibility }) => visibility === 'private')) return undefined;
  return ctx.actor.kind === 'anonymous' ? 'shared' : 'own';
}
