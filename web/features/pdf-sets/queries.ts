import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type PdfSet, pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { callApi } from '../../lib/api-client.ts';
import { pdfSetsOptions } from '../../lib/pdf-set-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';

/** The user's unfinished uploads to a set, from all devices. */
export function unfinishedOptions(workspace: string, setId: string) {
  return queryOptions({
    queryKey: ['pdfSets', workspace, setId],
    queryFn: async ({ signal }) => (await callApi(pdfSetEndpoints.getPdfSet, { setId }, signal, workspace)).uploads,
  });
}

/** Creates a set, which becomes the first of the list. */
export function useCreatePdfSet() {
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (displayName: string) =>
      (await callApi(pdfSetEndpoints.createPdfSet, { displayName }, undefined, workspace)).set,
    onSuccess: (set) =>
      client.setQueryData(
        pdfSetsOptions(workspace).queryKey,
        (known) => known && { ...known, sets: [set, ...known.sets.filter(({ setId }) => setId !== set.setId)] },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: pdfSetsOptions(workspace).queryKey }),
  });
}

/** A change of a set that returns the updated set. */
function useSetChange<Input extends { setId: string }>(change: (input: Input, workspace: string) => Promise<PdfSet>) {
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(input, workspace),
    onSuccess: (set) =>
      client.setQueryData(
        pdfSetsOptions(workspace).queryKey,
        (known) => known && { ...known, sets: known.sets.map((other) => (other.setId === set.setId ? set : other)) },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: pdfSetsOptions(workspace).queryKey }),
  });
}

export function useRenamePdfSet() {
  return useSetChange(
    async (input: { setId: string; displayName: string }, workspace) =>
      (await callApi(pdfSetEndpoints.renamePdfSet, input, undefined, workspace)).set,
  );
}

export function useIndexPdfSet() {
  return useSetChange(
    async (input: { setId: string }, workspace) =>
      (await callApi(pdfSetEndpoints.indexPdfSet, input, undefined, workspace)).set,
  );
}

export function useRemovePdfFile() {
  return useSetChange(
    async (input: { setId: string; fileId: string }, workspace) =>
      (await callApi(pdfSetEndpoints.removePdfFile, input, undefined, workspace)).set,
  );
}
