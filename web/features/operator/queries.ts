import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { creditEndpoints } from '#contract/credits.ts';
import { installationAuditEndpoints, operatorEndpoints } from '#contract/operator.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { callApi } from '../../lib/api-client.ts';

/** Key prefix: the name of the live query that keeps these queries current. */
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
      callApi(installationAuditEndpoints.listInstallationAudit, { ...filters, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
  });
}

export const settingsOptions = queryOptions({
  queryKey: ['operator-settings'],
  queryFn: ({ signal }) => callApi(operatorEndpoints.getSettings, {}, signal),
});

/** An operator's changes to accounts. The list is reloaded after success and failure alike. */
export function usePeopleActions() {
  const people = { invalidates: peopleKey };
  return {
    create: useAction(operatorEndpoints.createPerson, people),
    update: useAction(operatorEndpoints.updatePerson, people),
    passwordLink: useAction(operatorEndpoints.createPasswordLink, people),
    signOut: useAction(operatorEndpoints.endSessionsOf, people),
    remove: useAction(operatorEndpoints.deletePerson, people),
    adjustCredits: useAction(creditEndpoints.adjustCredits, people),
  };
}
