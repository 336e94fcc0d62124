import { queryOptions } from '@tanstack/react-query';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { callApi } from './api-client.ts';

/** The workspace's sets of uploaded files, newest first, and the room they take. */
export function pdfSetsOptions(workspace: string) {
  return queryOptions({
    queryKey: ['pdfSets', workspace],
    queryFn: ({ signal }) => callApi(pdfSetEndpoints.listPdfSets, {}, signal, workspace),
  });
}
