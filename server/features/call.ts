import type { z } from 'zod';
import type { Endpoint, OutputOf, ParsedInputOf } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { reasonOf } from '#server/features/reason-of-issue.ts';

/** The browser that sent a call, as far as sessions and rate limits need to know it. */
export interface Browser {
  /** Network address that the call came from. */
  address: string;
  userAgent: string;
  /** The current session's token, which a sign-in replaces. */
  sessionToken: string | undefined;
  /** Shows which users signed in with this browser before. */
  deviceToken?: string | undefined;
}

/** The browser for callers in the same process. */
export const noBrowser: Browser = { address: '', userAgent: '', sessionToken: undefined };

/** Effects of a handler on the response, besides its body. */
export interface CallEffects {
  /** Sets or (with null) clears the session cookie. */
  setSession(token: string | null, expiresAt: number): void;
  /** Makes the browser remember who signed in. */
  setDevice(token: string): void;
  /** Returns the position from which this user's live events continue. Missing for callers in the same process. */
  livePositionOf?(actor: Context['actor']): string;
  browser: Browser;
}

export type Handler<E extends Endpoint> = (
  ctx: Context,
  input: ParsedInputOf<E>,
  effects: CallEffects,
) => Promise<OutputOf<E>>;

/** Who may cache a response: everyone, or only the caller's browser. */
export type Caching = 'shared' | 'own';

type CachingOf<E extends Endpoint> = (ctx: Context, output: OutputOf<E>) => Caching | undefined;

/** An endpoint with its handler. */
export interface Call {
  endpoint: Endpoint;
  run(ctx: Context, input: unknown, effects: CallEffects): Promise<unknown>;
  /** Who may cache this response; undefined for no one. */
  cachingOf(ctx: Context, output: unknown): Caching | undefined;
}

type Group = Record<string, Endpoint>;

/** A handler for each endpoint of a group. */
export type Handlers<G extends Group> = { [Name in keyof G]: Handler<G[Name]> };

/**
 * Combines each endpoint of a group with its handler; a missing or misspelt one does not compile. Input is parsed here,
 * once. Throws `invalid-input` with the first fault. Responses are cached only if `cachingOf` allows it.
 */
export function serve<G extends Group>(
  group: G,
  handlers: Handlers<G>,
  cachingOf: { [Name in keyof G]?: CachingOf<G[Name]> } = {},
): Call[] {
  return Object.entries(group).map(([name, endpoint]) => {
    // The mapped types above match each handler with its endpoint; `Object.entries` loses that.
    const handler = handlers[name] as Handler<Endpoint>;
    const caching = cachingOf[name] as CachingOf<Endpoint> | undefined;
    return {
      endpoint,
      cachingOf: (ctx, output) => caching?.(ctx, output),
      run: (ctx, input, effects) => handler(ctx, parseInput(endpoint.input, input), effects),
    };
  });
}

/** Serves a group whose handlers are loaded by the first call. */
export function serveLater<G extends Group>(group: G, load: () => Promise<Handlers<G>>): Call[] {
  const later = (name: string): Handler<Endpoint> => {
    // The type of `group` matches each handler with its endpoint; names alone lose that.
    return async (...call) => ((await load())[name] as Handler<Endpoint>)(...call);
  };
  return serve<Group>(group, Object.fromEntries(Object.keys(group).map((name) => [name, later(name)])));
}

/**
 * Returns true if a JSON text has too many items of lists and fields of objects. Run it before the text is parsed:
 * parsing very many takes seconds and hundreds of megabytes, and a schema checks every item of a list before its length.
 */
export function hasTooManyValues(json: string, max: number = limits.valuesPerRequestMax): boolean {
  let count = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign === signs.quote) isInText = !isInText;
    else if (isInText) {
      if (sign === signs.backslash) at += 1;
    } else if (sign === signs.comma || sign === signs.bracket || sign === signs.brace) {
      count += 1;
      if (count > max) return true;
    }
  }
  return false;
}

const signs = { quote: 0x22, comma: 0x2c, bracket: 0x5b, backslash: 0x5c, brace: 0x7b };

/** Returns the value of a body in JSON. Throws `invalid-input` if it is not JSON or has too many values. */
export function readJson(text: string): unknown {
  if (hasTooManyValues(text)) throw new AppError('invalid-input', { values: { reason: 'it has too many values' } });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid-input', { values: { reason: 'the body is not JSON' }, cause });
  }
}

/** Parses an input by its schema. Throws `invalid-input` with the first fault. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new AppError('invalid-input', { values: { reason: reasonOf(result.error) } });
}
