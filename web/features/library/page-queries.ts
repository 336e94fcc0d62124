import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { documentEndpoints } from '#contract/documents.ts';
import { type LibraryModule, libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { callApi } from '../../lib/api-client.ts';

type ServedModule = Pick<LibraryModule, 'moduleId' | 'visibility' | 'lastUpdated'>;

/** The pages a module serves whose title or address has these words. A new version is another list. */
export function pagesOptions(workspace: string, { moduleId, visibility, lastUpdated }: ServedModule, words: string) {
  return infiniteQueryOptions({
    queryKey: ['modulePages', workspace, visibility, moduleId, lastUpdated, words],
    queryFn: ({ pageParam, signal }) =>
      callApi(documentEndpoints.listModulePages, { moduleId, visibility, words, from: pageParam }, signal, workspace),
    initialPageParam: 0,
    getNextPageParam: ({ total, pages }, _, from) =>
      pages.length > 0 && from + pages.length < total ? from + pages.length : undefined,
    placeholderData: keepPreviousData,
  });
}

/** What a run left out whose address has these words. */
export function leftOutOptions(workspace: string, jobId: string, words: string) {
  return infiniteQueryOptions({
    queryKey: ['jobLog', workspace, jobId, 'words', words],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        libraryEndpoints.getJobLog,
        {
          ...{ jobId, limit: limits.modulePagesListed },
          ...(words === '' ? {} : { words }),
          ...(pageParam === null ? {} : { after: pageParam }),
        },
        signal,
        workspace,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}
