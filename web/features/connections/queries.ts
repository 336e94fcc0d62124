import { queryOptions, useMutation } from '@tanstack/react-query';
import { connectionEndpoints } from '#contract/connections.ts';
import { callApi } from '../../lib/api-client.ts';

/** What an application asks for. A question is read when its page is opened, and again only by hand. */
export function consentOptions(request: string) {
  return queryOptions({
    queryKey: ['consent', request],
    queryFn: ({ signal }) => callApi(connectionEndpoints.describeConsent, { request }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Gives the person's answer, once; what comes back is where the browser goes. */
export function useAnswerConsent(request: string) {
  return useMutation({
    mutationFn: (answer: { isAllowed: boolean; workspaceId: string }) =>
      callApi(connectionEndpoints.answerConsent, { request, ...answer }),
    retry: false,
  });
}
