import { config, z } from 'zod';

// Set before the first schema is created: otherwise zod tests whether it may compile code, which the pages' content
// security policy forbids and reports.
if ('document' in globalThis) config({ jitless: true });

/** Rights of an API key: search and read, start runs, add and remove sources. All keys may search. */
export const keyRights = ['search', 'index', 'manage'] as const;
export type KeyRight = (typeof keyRights)[number];

/** Rights that a member's role can grant. `server/features/teams/rights.ts` assigns them to roles. */
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

/** A call that browser, command line and server agree on. `:name` segments of the path are fields of the input. */
export interface Endpoint<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  method: Method;
  path: string;
  /** One sentence for the reference. */
  summary: string;
  input: Input;
  output: Output;
  /** Who may call it. Defaults to signed-in users and applications they authorized. */
  access?: 'anyone' | 'operator';
  /** The right that the caller's role must grant, in the team in the path, or else in the acting team. */
  right?: TeamRight;
  /** API keys with this right may make the call for their owner, in the workspace they belong to. */
  keyRight?: KeyRight;
  /** Set if the response is a file instead of JSON; the output is its text, or yields its bytes. */
  attachment?: { mediaType: string; fileName: string };
  /** Set if the response is the same for everyone and may be cached this long. */
  cacheSeconds?: number;
  /** Maximum body size in bytes if larger than the default; only signed-in users may send that much. */
  bodyBytesMax?: number;
  /** The live query of `contract/live.ts` whose changes invalidate the response. */
  live?: string;
  /** A sentence that says what to do instead of sending more than `bodyBytesMax`. */
  insteadOfMore?: string;
  /**
   * The message if the call failed without one from the server. `{status}` is the HTTP status, other names are fields
   * of the input.
   */
  failure?: string;
}

const nothing = z.object({});

/**
 * Declares an endpoint, such as `GET /api/modules`, and keeps its schema types, so that server and client are
 * type-checked against each other. Without `input`, it takes no fields.
 */
export function endpoint<Output extends z.ZodType, Input extends z.ZodType = typeof nothing>(
  name: `${Method} /${string}`,
  definition: Omit<Endpoint<Input, Output>, 'method' | 'path' | 'input'> & { input?: Input },
): Endpoint<Input, Output> {
  const [method, path] = name.split(' ') as [Method, string];
  return { method, path, input: nothing as z.ZodType as Input, ...definition };
}

export type InputOf<E> = E extends Endpoint<infer Input, z.ZodType> ? z.input<Input> : never;
export type ParsedInputOf<E> = E extends Endpoint<infer Input, z.ZodType> ? z.output<Input> : never;
export type OutputOf<E> = E extends Endpoint<z.ZodType, infer Output> ? z.output<Output> : never;

/** Returns the endpoint's own message for a call that failed with `status` and without a message from the server. */
export function failureOf({ failure }: Endpoint, input: object, status: number): string | undefined {
  const values: Record<string, unknown> = { ...input, status };
  return failure?.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** Splits an input into path, query (GET, DELETE) and JSON body (POST, PUT), as the server reads it. */
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
