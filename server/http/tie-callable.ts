import type { z } from 'zod';
import type { Callable } from '#contract/callables.ts';
import type { Context } from '#server/context.ts';
import { type CallEffects, parseInput } from '#server/features/call.ts';
import { requireKnownFields } from './known-fields.ts';

export interface CallableEntry extends Pick<Callable, 'name' | 'access' | 'right' | 'keyRight'> {
  run(ctx: Context, data: unknown, effects: CallEffects): Promise<unknown>;
}

/** Ties a callable function to its handler; what it is given is parsed here, once. */
export function tie<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Callable<Input, Output>,
  handler: (ctx: Context, data: z.output<Input>, effects: CallEffects) => Promise<z.output<Output>>,
): CallableEntry {
  return {
    ...definition,
    run: async (ctx, data, effects) => {
      const values = data ?? {};
      requireKnownFields(definition.input, values);
      // Parsed by the definition's own schema, so it has that schema's type.
      return handler(ctx, parseInput(definition.input, values) as z.output<Input>, effects);
    },
  };
}
