import { indexRequestEndpoints } from '#contract/index-requests.ts';
import { approveIndexRequest, declineIndexRequest, listIndexRequests } from '#server/features/index-requests/index.ts';
import type { LibraryNotices } from '#server/features/library/index.ts';
import { type Call, call } from './call-table.ts';

/** What agents ask for, and the answers of people. */
export function indexRequestCalls({ notices }: { notices: LibraryNotices }): Call[] {
  return [
    call(indexRequestEndpoints.listIndexRequests, async (ctx) => ({ requests: await listIndexRequests(ctx) })),
    call(indexRequestEndpoints.approveIndexRequest, (ctx, input) => approveIndexRequest(ctx, input, notices)),
    call(indexRequestEndpoints.declineIndexRequest, async (ctx, input) => ({
      request: await declineIndexRequest(ctx, input),
    })),
  ];
}
