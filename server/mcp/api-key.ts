const headerNames = ['x-api-key', 'x-lectern-api-key', 'x-ref-api-key'];

/**
 * The API key of a request: `Authorization: Bearer`, one of the key headers, or the `apiKey` parameter of the address,
 * in this order. Undefined when there is none.
 */
export function readApiKey(request: Request): string | undefined {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const headers = headerNames.map((name) => request.headers.get(name)?.trim());
  const parameter = new URL(request.url).searchParams.get('apiKey')?.trim();
  return [bearer, ...headers, parameter].find((secret) => secret !== undefined && secret !== '' && secret !== null);
}
