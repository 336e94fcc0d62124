import { hash } from 'node:crypto';
import { teamHeader } from '#contract/team-header.ts';
import type { Caching } from '#server/features/call.ts';

/**
 * An answer that may be kept and is asked about each time: with a tag of its content, and empty (304) for who has it
 * already. The same address may answer others differently, which `vary` says.
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
