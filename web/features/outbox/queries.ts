import { queryOptions } from '@tanstack/react-query';
import { outboxEndpoints } from '#contract/outbox.ts';
import { callApi } from '../../lib/api-client.ts';

const readAgainMs = 5_000;

export const outboxOptions = queryOptions({
  queryKey: ['outbox'],
  queryFn: async ({ signal }) => (await callApi(outboxEndpoints.listOutbox, {}, signal)).mails,
  refetchInterval: readAgainMs,
});

export function outboxMailOptions(mailId: string) {
  return queryOptions({
    queryKey: ['outbox', mailId],
    queryFn: async ({ signal }) => (await callApi(outboxEndpoints.readOutboxMail, { mailId }, signal)).mail,
    // A stored email never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
