import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import { creditEndpoints } from '#contract/credits.ts';
import type { Endpoint, InputOf } from '#contract/endpoint.ts';
import { operatorEndpoints } from '#contract/operator.ts';
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

/** An operator's changes to accounts. The list is reloaded after success and failure alike. */
export function usePeopleActions() {
  return {
    create: usePeopleAction(operatorEndpoints.createPerson),
    update: usePeopleAction(operatorEndpoints.updatePerson),
    passwordLink: usePeopleAction(operatorEndpoints.createPasswordLink),
    signOut: usePeopleAction(operatorEndpoints.endSessionsOf),
    remove: usePeopleAction(operatorEndpoints.deletePerson),
    adjustCredits: usePeopleAction(creditEndpoints.adjustCredits),
  };
}

function usePeopleAction<Input extends z.ZodType, Output extends z.ZodType>(endpoint: Endpoint<Input, Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<Endpoint<Input, Output>>) => callApi(endpoint, input),
    onSettled: () => client.invalidateQueries({ queryKey: peopleKey }),
  });
}
