import type { Method } from '#contract/endpoint.ts';
import { type ErrorCode, errorTable, sentenceOf } from '#contract/errors.ts';
import { codesOfCalls } from './codes-of-calls.ts';
import type { JsonSchema } from './json-schema.ts';

const codes = Object.keys(errorTable) as ErrorCode[];
const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort((a, b) => a - b);

/** Returns the reference to the shared response for errors of this status. */
function faultReference(status: number, kind: '' | 'Admin' | 'Callable' = ''): { $ref: string } {
  return { $ref: `#/components/responses/${kind}Fault${status}` };
}

const ofEveryCall: ErrorCode[] = [
  ...([
    'invalid-input',
    'unauthenticated',
    'key-refused',
    'permission-denied',
    'key-right-missing',
    'team-not-found',
  ] as const),
  ...(['internal', 'unavailable', 'storage-unreachable', 'disk-full'] as const),
];
const ofChanges: ErrorCode[] = ['body-too-large', 'origin-refused'];

/** Returns all error codes of a call, by operation name: its specific codes and those of every call. */
export function codesOf(name: string, method: Method): ErrorCode[] {
  return [...new Set([...ofEveryCall, ...(method === 'GET' ? [] : ofChanges), ...(codesOfCalls[name] ?? [])])];
}

/** Returns the error responses of a call by status, each with the call's codes for that status. */
export function faultsOf(
  told: readonly ErrorCode[],
  kind: '' | 'Admin' | 'Callable' = '',
): Record<string, { $ref: string; description: string }> {
  const byStatus = Map.groupBy(told, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, having]) => [String(status), { ...faultReference(status, kind), description: describe(having) }]),
  );
}

function describe(having: readonly ErrorCode[]): string {
  return having.length === 1 ? `With the code ${having[0]}.` : `One of the codes ${having.join(', ')}.`;
}

/** Returns the schemas of the three error envelopes. */
export function faultSchemas(): Record<string, JsonSchema> {
  const code: JsonSchema = { type: 'string', enum: [...codes].sort() };
  const text: JsonSchema = { type: 'string' };
  const object = (properties: Record<string, JsonSchema>, required: string[]): JsonSchema => ({
    ...{ type: 'object', properties, required },
  });
  return {
    ErrorCode: { ...code, description: 'Each has a page: /docs/errors/{code}.' },
    Fault: object(
      {
        error: object(
          { code: { $ref: '#/components/schemas/ErrorCode' }, message: text, requestId: text, docs: text },
          ['code', 'message'],
        ),
      },
      ['error'],
    ),
    AdminFault: object(
      { success: { const: false }, error: text, code: { $ref: '#/components/schemas/ErrorCode' }, requestId: text },
      ['success', 'error', 'code'],
    ),
    CallableFault: object(
      {
        error: object(
          {
            status: text,
            message: text,
            details: object({ code: { $ref: '#/components/schemas/ErrorCode' }, requestId: text }, ['code']),
          },
          ['status', 'message'],
        ),
      },
      ['error'],
    ),
  };
}

/** Returns one response for each status and envelope, with all its codes. */
export function faultResponses(): Record<string, unknown> {
  const kinds = ['', 'Admin', 'Callable'] as const;
  return Object.fromEntries(
    kinds.flatMap((kind) => statuses.map((status) => [`${kind}Fault${status}`, faultResponse(status, kind)])),
  );
}

function faultResponse(status: number, kind: '' | 'Admin' | 'Callable'): unknown {
  const having = codes.filter((code) => errorTable[code].status === status);
  const [code = 'internal'] = having.filter((candidate) => typical.has(candidate)).concat(having);
  const message = sentenceOf(code, { reason: 'query: too long', seconds: 30, requestId: 'r-1', limit: 200 });
  const requestId = '4f0c1f0e-7f0a-4a57-9d1c-1a2b3c4d5e6f';
  const example = {
    '': { error: { code, message, requestId, docs: `/docs/errors/${code}` } },
    Admin: { success: false, error: message, code, requestId },
    Callable: { error: { status: 'invalid-argument', message, details: { code, requestId } } },
  }[kind];
  return {
    description: describe(having),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${kind}Fault` }, example } },
  };
}

const typical = new Set<ErrorCode>([
  'invalid-input',
  'unauthenticated',
  'permission-denied',
  'not-found',
  'rate-limited',
  'internal',
  'unavailable',
]);
