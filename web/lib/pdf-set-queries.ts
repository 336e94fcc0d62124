import { queryOptions } from '@tanstack/react-query';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { callApi } from './api-client.ts';

/** The workspace's PDF sets, newest first, and their storage use. */
export function pdfSetsOptions(workspace: string) {
  return queryOptions({
    queryKey: ['pdfSets', workspace],
    queryFn: ({ signal }) => callApi(pdfSetEndpoints.listPdfSets, {}, signal, workspace),
  });
}
