import type { z } from 'zod';
import type { Endpoint, OutputOf, ParsedInputOf } from '#contract/endpoint.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Browser } from '#server/features/accounts/index.ts';
import { reasonOf } from './reason-of-issue.ts';

/** What a handler may do to the answer beside returning it. */
export interface CallEffects {
  /** Sets or (with null) clears the session cookie. */
  setSession(token: string | null, expiresAt: number): void;
  browser: Browser;
}

export type Handler<E extends Endpoint> = (
  ctx: Context,
  input: ParsedInputOf<E>,
  effects: CallEffects,
) => Promise<OutputOf<E>>;

/** Who may keep an answer: whoever passes it on, or the browser of who asked alone. */
export type Caching = 'shared' | 'own';

/** One entry of the interface: what was agreed on and who answers it. */
export interface Call {
  endpoint: Endpoint;
  run(ctx: Context, input: unknown, effects: CallEffects): Promise<unknown>;
  /** Who may keep the answer; undefined for nobody. */
  cachingOf(ctx: Context, output: unknown): Caching | undefined;
}

/**
 * Ties an endpoint to its handler; input is parsed here, once, and refused with the first thing that is wrong. Without
 * `cachingOf` nobody keeps the answer.
 */
export function call<E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  cachingOf?: (ctx: Context, output: OutputOf<E>) => Caching | undefined,
): Call {
  return {
    endpoint,
    cachingOf: (ctx, output) => cachingOf?.(ctx, output as OutputOf<E>),
    run: (ctx, input, effects) => handler(ctx, parseInput(endpoint.input, input) as ParsedInputOf<E>, effects),
  };
}

/** What a schema makes of an input; refuses with the first thing that is wrong. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new AppError('invalid-input', { values: { reason: reasonOf(result.error) } });
}
