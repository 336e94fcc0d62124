import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { creditEndpoints } from '#contract/credits.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { callApi } from '../../lib/api-client.ts';

/** Keys begin with the name of the live query that keeps them current. */
const peopleKey = ['people'] as const;

export function peopleOptions(query: string) {
  return infiniteQueryOptions({
    queryKey: [...peopleKey, 'list', query],
    queryFn: ({ pageParam, signal }) => callApi(operatorEndpoints.listPeople, { query, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function installationAuditOptions(filters: { action?: string | undefined; who?: string | undefined }) {
  return infiniteQueryOptions({
    queryKey: [...peopleKey, 'audit', filters],
    queryFn: ({ pageParam, signal }) =>
      callApi(operatorEndpoints.listInstallationAudit, { ...filters, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
  });
}

export const settingsOptions = queryOptions({
  queryKey: ['operator-settings'],
  queryFn: ({ signal }) => callApi(operatorEndpoints.getSettings, {}, signal),
});

/** What an operator does with an account. The list is read again after success and failure alike. */
export function usePeopleActions() {
  const client = useQueryClient();
  const settled = { onSettled: () => client.invalidateQueries({ queryKey: peopleKey }), retry: false };
  return {
    create: useMutation({
      mutationFn: (input: InputOf<typeof operatorEndpoints.createPerson>) =>
        callApi(operatorEndpoints.createPerson, input),
      ...settled,
    }),
    update: useMutation({
      mutationFn: (input: InputOf<typeof operatorEndpoints.updatePerson>) =>
        callApi(operatorEndpoints.updatePerson, input),
      ...settled,
    }),
    passwordLink: useMutation({
      mutationFn: (input: InputOf<typeof operatorEndpoints.createPasswordLink>) =>
        callApi(operatorEndpoints.createPasswordLink, input),
      ...settled,
    }),
    signOut: useMutation({
      mutationFn: (input: InputOf<typeof operatorEndpoints.endSessionsOf>) =>
        callApi(operatorEndpoints.endSessionsOf, input),
      ...settled,
    }),
    remove: useMutation({
      mutationFn: (whose: string) => callApi(operatorEndpoints.deletePerson, { whose }),
      ...settled,
    }),
    adjustCredits: useMutation({
      mutationFn: (input: InputOf<typeof creditEndpoints.adjustCredits>) =>
        callApi(creditEndpoints.adjustCredits, input),
      ...settled,
    }),
  };
}
