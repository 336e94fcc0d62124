import { config, type z } from 'zod';

// Set before the first schema is made: zod tries then whether it may compile, which the content security policy of the
// pages forbids and reports.
if ('document' in globalThis) config({ jitless: true });

/** What an API key may be allowed to do: search and read, start runs, add and remove sources. All keys may search. */
export const keyRights = ['search', 'index', 'manage'] as const;
export type KeyRight = (typeof keyRights)[number];

/** What the role of a member may allow. `server/features/teams/rights.ts` says which roles allow it. */
export type TeamRight =
  | 'team.read'
  | 'team.leave'
  | 'team.update'
  | 'team.delete'
  | 'members.read'
  | 'members.invite'
  | 'members.remove'
  | 'roles.set'
  | 'seats.manage'
  | 'billing.manage'
  | 'audit.read'
  | 'sso.manage'
  | 'docs.search'
  | 'sources.read'
  | 'sources.write'
  | 'keys.own'
  | 'keys.all'
  | 'activity.own'
  | 'activity.all';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One call that browser, command line and server agree on. `:name` parts of the path are fields of the input. */
export interface Endpoint<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  method: Method;
  path: string;
  /** One sentence for the reference. */
  summary: string;
  input: Input;
  output: Output;
  /** Who may make the call. Without it: people who are signed in, and whom they let act for them. */
  access?: 'anyone' | 'operator';
  /** What the caller's role must allow, in the team that the address names or else in the one the caller acts for. */
  right?: TeamRight;
  /** An API key with this right may make the call for its owner, where it belongs. */
  keyRight?: KeyRight;
  /** The answer is this file, its text the output, instead of JSON. */
  attachment?: { mediaType: string; fileName: string };
  /** The answer is the same for everyone, and may be kept for so long. */
  cacheSeconds?: number;
  /** Bytes its body may have where that is more than for other calls; only people who are signed in send as much. */
  bodyBytesMax?: number;
  /** The live query of `contract/live.ts` whose changes make the answer outdated. */
  live?: string;
  /** What to do instead of sending more than that, as a sentence. */
  insteadOfMore?: string;
}

/** Declares an endpoint; keeps the schema types so that server and client are checked against each other. */
export function endpoint<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Endpoint<Input, Output>,
): Endpoint<Input, Output> {
  return definition;
}

export type InputOf<E> = E extends Endpoint<infer Input, z.ZodType> ? z.input<Input> : never;
export type ParsedInputOf<E> = E extends Endpoint<infer Input, z.ZodType> ? z.output<Input> : never;
export type OutputOf<E> = E extends Endpoint<z.ZodType, infer Output> ? z.output<Output> : never;

/** Splits an input into path, query (GET, DELETE) and JSON body (POST, PUT) the way the server reads it. */
export function toRequest(
  definition: Endpoint,
  input: Record<string, unknown>,
): { path: string; body: string | undefined } {
  const rest: Record<string, unknown> = { ...input };
  const path = definition.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  if (definition.method === 'POST' || definition.method === 'PUT') return { path, body: JSON.stringify(rest) };
  const query = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  return { path: query === '' ? path : `${path}?${query}`, body: undefined };
}
