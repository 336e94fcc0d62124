import {
  queryOptions,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import { callApi } from '../lib/api-client.ts';
import { untilShown } from '../lib/query-client.ts';
import { useWorkspaceId } from '../lib/workspace.ts';
import { useToast } from '../ui/toast.tsx';

/**
 * Returns the query of an endpoint in a workspace. Its key begins with the endpoint's live query, so that changes
 * refresh it.
 */
export function endpointOptions<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  input: InputOf<Endpoint<Input, Output>>,
  workspace: string,
) {
  return queryOptions({
    queryKey: [endpoint.live ?? endpoint.path, workspace, endpoint.path, input] as const,
    queryFn: ({ signal }) => callApi(endpoint, input, signal, workspace),
  });
}

/** Reads an endpoint in the selected workspace and keeps the result current, by its live query or by polling. */
export function useEndpoint<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  input: InputOf<Endpoint<Input, Output>>,
  { everyMs = false }: { everyMs?: number | false } = {},
): UseQueryResult<OutputOf<Endpoint<Input, Output>>, Error> {
  return useQuery({
    ...endpointOptions(endpoint, input, useWorkspaceId()),
    refetchInterval: everyMs,
  });
}

interface ActionEvents<Output> {
  onDone?: (output: Output) => void;
  /** The toast's text after success. */
  toast?: (output: Output) => string;
  /** Key prefixes of the queries that the action invalidates. */
  invalidates?: readonly string[];
}

/** Sends a change to an endpoint in the selected workspace. Calls are ignored while one is in progress. */
export function useAction<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  { onDone, toast, invalidates = [] }: ActionEvents<OutputOf<Endpoint<Input, Output>>> = {},
): UseMutationResult<OutputOf<Endpoint<Input, Output>>, Error, InputOf<Endpoint<Input, Output>>> {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const show = useToast();
  const readAgain = () => Promise.all(invalidates.map((name) => client.invalidateQueries({ queryKey: [name] })));
  const action = useMutation({
    mutationFn: (input: InputOf<Endpoint<Input, Output>>) => callApi(endpoint, input, undefined, workspace),
    // Pending until the lists on the screen show the change.
    onSuccess: async (output) => {
      await untilShown(readAgain());
      if (toast) show({ message: toast(output) });
      onDone?.(output);
    },
    // The refused item may have changed meanwhile.
    onError: () => void readAgain(),
  });
  return { ...action, mutate: (...call) => action.isPending || action.mutate(...call) };
}
