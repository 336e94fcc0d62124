import type { IndexRequest } from '#contract/index-requests.ts';
import type { ListedRequest } from './store.ts';

/**
 * Returns a request as shown to users; a pending one past its time counts as expired, even if its row does not say so
 * yet.
 */
export function presentRequest(row: ListedRequest, now: number): IndexRequest {
  const { id, address, kind, moduleId, library, version, expiresAt, answeredAt, jobId } = row;
  return {
    ...{ id, address, kind, moduleId, library, version, expiresAt, answeredAt, jobId },
    state: row.state === 'pending' && expiresAt <= now ? 'expired' : row.state,
    askedBy: row.credentialName,
    askedFor: row.personName || (row.personEmail ?? ''),
    askedAt: row.createdAt,
    answeredBy: row.answererName || row.answererEmail,
  };
}
