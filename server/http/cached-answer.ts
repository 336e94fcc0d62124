import { hash } from 'node:crypto';
import { teamHeader } from '#contract/team-header.ts';
import type { Caching } from '#server/features/call.ts';

/**
 * Returns a response that may be stored but must be revalidated: with a content tag, and empty (304) if the caller's
 * copy is current. Its `vary` header names the request headers it depends on.
 */
export function cachedAnswer(
  body: string,
  {
    caching,
    ifNoneMatch,
    headers,
  }: { caching: Caching; ifNoneMatch: string | undefined; headers: Record<string, string> },
): Response {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  const answer = new Headers(headers);
  answer.set('cache-control', caching === 'shared' ? 'public, no-cache' : 'private, no-cache');
  answer.set('vary', `accept, cookie, authorization, ${teamHeader}`);
  answer.set('etag', etag);
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!known.includes(etag)) return new Response(body, { headers: answer });
  answer.delete('content-type');
  return new Response(null, { status: 304, headers: answer });
}
