import type { Context } from '#server/context.ts';
import type { Call } from './call.ts';
import type { ScheduledJob } from './scheduled-jobs.ts';

export { serve, serveLater } from './call.ts';

/** A feature's interface to the installation, besides its verbs. */
interface Face {
  name: string;
  endpoints?: readonly Call[];
  scheduledJobs?: readonly ScheduledJob[];
  /** The data about the caller, by its name in their export; long lists in pages. */
  personalData?: Record<string, (ctx: Context) => Promise<unknown> | AsyncIterable<unknown[]>>;
  /** Runs once in a process that owns the data folder, before the first request. */
  beforeServing?(ctx: Context): Promise<void>;
}

export type Feature = Required<Pick<Face, 'name' | 'endpoints' | 'scheduledJobs' | 'personalData'>> &
  Pick<Face, 'beforeServing'>;

/** Creates a feature from its verbs and its interface; a misspelt member does not compile. */
export function feature<Verbs extends object>({ verbs, ...face }: Face & { verbs: Verbs }): Verbs & Feature {
  return { endpoints: [], scheduledJobs: [], personalData: {}, ...face, ...verbs };
}

// `never` accepts any input type; `Bound` keeps the actual one.
type Verb<Needs> = (ctx: Context, input: never, needs: Needs) => unknown;
type Bound<V> = V extends (ctx: Context, input: infer Input, ...rest: never) => infer Output
  ? (ctx: Context, input: Input) => Output
  : never;

/** Binds verbs of the form `(ctx, input, needs)` to their needs: callers pass the context and the input. */
export function bind<Needs, Verbs extends Record<string, Verb<Needs>>>(
  needs: Needs,
  verbs: Verbs,
): { [Name in keyof Verbs]: Bound<Verbs[Name]> } {
  const bound = Object.entries(verbs).map(([name, verb]) => [
    name,
    (ctx: Context, input: never) => verb(ctx, input, needs),
  ]);
  return Object.fromEntries(bound) as { [Name in keyof Verbs]: Bound<Verbs[Name]> };
}

/** Called by the feature that owns it; features above register handlers. */
export interface Hook<Args extends unknown[]> {
  (...args: Args): Promise<void>;
  on(handler: (...args: Args) => Promise<unknown>): void;
  /** Adds a handler before the existing ones. */
  first(handler: (...args: Args) => Promise<unknown>): void;
}

/** Creates a hook. Handlers run one after another in the order they were added; the first that throws ends the call. */
export function hook<Args extends unknown[]>(): Hook<Args> {
  type Handler = (...args: Args) => Promise<unknown>;
  const handlers: Handler[] = [];
  const run = async (...args: Args): Promise<void> => {
    for (const handler of handlers) await handler(...args);
  };
  return Object.assign(run, {
    on: (handler: Handler) => void handlers.push(handler),
    first: (handler: Handler) => void handlers.unshift(handler),
  });
}
