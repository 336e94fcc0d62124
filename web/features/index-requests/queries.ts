import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type IndexRequest, indexRequestEndpoints } from '#contract/index-requests.ts';
import { callApi } from '../../lib/api-client.ts';
import { indexRequestsOptions } from '../../lib/index-request-queries.ts';
import { jobsOptions } from '../../lib/library-queries.ts';
import { withJob } from '../../lib/live/apply-live-event.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';

/** Approves or declines a request; one that someone else answered meanwhile is read again. */
export function useAnswerRequest() {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const { queryKey } = indexRequestsOptions(workspace);
  return useMutation({
    mutationFn: async ({ requestId, isApproved }: { requestId: string; isApproved: boolean }) => {
      if (!isApproved) {
        const input = { requestId };
        return {
          ...(await callApi(indexRequestEndpoints.declineIndexRequest, input, undefined, workspace)),
          job: null,
        };
      }
      return callApi(indexRequestEndpoints.approveIndexRequest, { requestId }, undefined, workspace);
    },
    onSuccess: ({ request, job }) => {
      client.setQueryData(queryKey, (known: IndexRequest[] | undefined) =>
        known?.map((other) => (other.id === request.id ? request : other)),
      );
      if (job !== null) {
        client.setQueryData(jobsOptions(workspace).queryKey, (jobs) => jobs && withJob(jobs, job));
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
