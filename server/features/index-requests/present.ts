import type { IndexRequest } from '#contract/index-requests.ts';
import type { ListedRequest } from './store.ts';

/** A request as people see it; one whose time is over counts as expired before anyone wrote that down. */
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
