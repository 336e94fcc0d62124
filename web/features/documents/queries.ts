import { queryOptions } from '@tanstack/react-query';
import type { DocumentPlace } from '#contract/document-path.ts';
import { documentEndpoints } from '#contract/documents.ts';
import * as limits from '#contract/limits.ts';
import { callApi } from '../../lib/api-client.ts';
import { startMarkdown } from '../../ui/early-markdown.ts';

type PageOf = Pick<DocumentPlace, 'address' | 'moduleId' | 'visibility'>;

function named({ address, moduleId, visibility }: PageOf, anchor = '') {
  const url = anchor === '' ? address : `${address}#${encodeURIComponent(anchor)}`;
  return { url, moduleId: moduleId || undefined, visibility };
}

/** Polling interval of a page whose source is being refreshed. */
const refreshingMs = 5_000;

const keyOf = (workspace: string, { address, moduleId, visibility }: PageOf) =>
  ['documents', workspace, address, moduleId ?? null, visibility ?? null] as const;

/** The requested place on a page: a passage by its id, or else by an anchor. */
export type Wanted = Pick<DocumentPlace, 'anchor' | 'passage'>;

/** The part of a page with the requested passage (or the first part), and all details of the page. */
export function documentOptions(workspace: string, page: PageOf, { anchor, passage }: Wanted) {
  return queryOptions({
    queryKey: [...keyOf(workspace, page), 'at', anchor, passage ?? null],
    queryFn: ({ signal }) => {
      startMarkdown();
      return callApi(documentEndpoints.showDocument, { ...named(page, anchor), passage }, signal, workspace);
    },
    // Until the run that refreshes its source has ended.
    refetchInterval: ({ state }) => state.data?.refresh.isRunning === true && refreshingMs,
    placeholderData: (previous, query) => (query?.queryKey[2] === page.address ? previous : undefined),
  });
}

/** A further part of a page. */
export function documentPartOptions(workspace: string, page: PageOf, from: number) {
  return queryOptions({
    queryKey: [...keyOf(workspace, page), 'from', from],
    queryFn: ({ signal }) => callApi(documentEndpoints.showDocument, { ...named(page), from }, signal, workspace),
  });
}

/** Returns the query for the passages that a read with this question and token budget would send. */
export function documentCutOptions(workspace: string, place: DocumentPlace) {
  const { query, tokens, anchor } = place;
  return queryOptions({
    queryKey: [...keyOf(workspace, place), 'cut', anchor, query ?? '', tokens ?? null],
    queryFn: async ({ signal }) => {
      const input = {
        ...named(place, anchor),
        limit: 0,
        query: query ?? '',
        tokens: tokens ?? limits.readTokensDefault,
      };
      return (await callApi(documentEndpoints.showDocument, input, signal, workspace)).cut;
    },
    enabled: query !== undefined || tokens !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function documentMarkdownOptions(workspace: string, page: PageOf) {
  return queryOptions({
    queryKey: [...keyOf(workspace, page), 'markdown'],
    queryFn: ({ signal }) => callApi(documentEndpoints.documentMarkdown, named(page), signal, workspace),
  });
}
