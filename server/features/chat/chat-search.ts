import type { Context } from '#server/context.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import { createSearch } from '#server/features/search/index.ts';
import type { ChatSearch } from './dependencies.ts';

/**
 * Creates the search for chats: the normal search, plus the credits charged per question. It fetches no pages: the text
 * of a page must not be able to make this server request an address.
 */
export function createChatSearch(deps: {
  shelf: Parameters<typeof createSearch>[0]['shelf'];
  meaning?: Parameters<typeof createSearch>[0]['meaning'];
  meter: CallMeter;
}): ChatSearch {
  const charged = new WeakMap<Context, number>();
  const meter: CallMeter = {
    admit: deps.meter.admit,
    async settle(ctx, call, receipt) {
      const settled = await deps.meter.settle(ctx, call, receipt);
      charged.set(ctx, (charged.get(ctx) ?? 0) + settled.credits);
      return settled;
    },
  };
  const search = createSearch({ shelf: deps.shelf, meaning: deps.meaning, meter });
  return { ...search, admit: deps.meter.admit, creditsOf: (ctx) => charged.get(ctx) ?? 0 };
}
