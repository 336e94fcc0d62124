import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentPlace } from '#contract/document-path.ts';
import type { Document } from '#contract/documents.ts';
import { ApiError, sentenceForPeople } from '../../lib/api-error.ts';
import { PageTitle } from '../../lib/page-title.tsx';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { DocumentNotFound } from './document-not-found.tsx';
import { DocumentView } from './document-view.tsx';
import { documentOptions, type Wanted } from './queries.ts';

/** Error codes of a page that this reader may not see or that doesn't exist. */
const missingCodes = new Set(['document-not-found', 'invalid-input']);

/** A page of documentation as agents get it; `place` is what the address of the screen says. */
export function DocumentScreen({ place }: { place: DocumentPlace }) {
  const workspace = useWorkspaceId();
  // The part that is loaded first is the one the address named when it was opened.
  const [wanted, setWanted] = useState<Wanted>({ anchor: place.anchor, passage: place.passage });
  const query = useQuery(documentOptions(workspace, place, wanted));
  const title = query.data?.title || place.address.replace(/^[a-z]+:\/+/i, '') || 'Document';
  return (
    <>
      <PageTitle page={title} />
      <DocumentState
        query={query}
        place={place}
        onUnknownAnchor={(anchor) => setWanted((known) => (known.anchor === anchor ? known : { anchor }))}
      />
    </>
  );
}

interface DocumentStateProps {
  query: UseQueryResult<Document>;
  place: DocumentPlace;
  onUnknownAnchor: (anchor: string) => void;
}

function DocumentState({ query, place, onUnknownAnchor }: DocumentStateProps) {
  if (query.data) return <DocumentView document={query.data} place={place} onUnknownAnchor={onUnknownAnchor} />;
  if (query.isError) {
    if (query.error instanceof ApiError && missingCodes.has(query.error.code))
      return <DocumentNotFound place={place} />;
    return (
      <div className="page py-12">
        <h1 className="heading-page mb-5">Couldn't load this page</h1>
        <RetryNotice query={query}>{sentenceForPeople(query.error)}</RetryNotice>
      </div>
    );
  }
  return <DocumentLoading />;
}

function DocumentLoading() {
  return (
    <div className="frame py-10">
      <h1 className="sr-only">A page of documentation</h1>
      <Skeletons />
    </div>
  );
}

function Skeletons() {
  return (
    <Loading label="Loading the page…">
      <div className="flex flex-col gap-3">
        <Skeleton className="h-3 w-40" />
        <Skeleton className="h-9 w-96 max-w-full" />
        <Skeleton className="h-3 w-72 max-w-full" />
      </div>
      <div className="mt-10 flex max-w-2xl flex-col gap-3 lg:ml-60">
        <Skeleton className="h-3.5 w-full" />
        <Skeleton className="h-3.5 w-11/12" />
        <Skeleton className="h-3.5 w-2/3" />
        <Skeleton className="mt-3 h-28 w-full" />
      </div>
    </Loading>
  );
}
