import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ArrowUpRight } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { DocumentPlace } from '#contract/document-path.ts';
import type { Document } from '#contract/documents.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { loginPathFor } from '../../lib/continuation.ts';
import { PageTitle } from '../../lib/page-title.tsx';
import { useSession } from '../../lib/session.ts';
import { useMayWrite } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { ActionLink, ButtonLink } from '../../ui/button-link.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { DocumentView } from './document-view.tsx';
import { documentOptions, type Wanted } from './queries.ts';

/** Error codes of a page that this reader may not see or that doesn't exist. */
const missingCodes = new Set(['document-not-found', 'invalid-input']);

/** A documentation page as agents receive it; `place` is the state in the screen's address. */
export function DocumentScreen({ place }: { place: DocumentPlace }) {
  const workspace = useWorkspaceId();
  // The first part to load is the one that the initial address named.
  const [wanted, setWanted] = useState<Wanted>({ anchor: place.anchor, passage: place.passage });
  const query = useQuery(documentOptions(workspace, place, wanted));
  const title = query.data?.title || place.address.replace(/^[a-z]+:\/+/i, '') || 'Document';
  return (
    <>
      <PageTitle page={title} />
      <DocumentState
        query={query}
        place={place}
        isAnchorUnknown={
          place.anchor !== '' &&
          place.anchor === wanted.anchor &&
          query.data?.target === null &&
          !query.isPlaceholderData
        }
        onUnknownAnchor={(anchor) => setWanted((known) => (known.anchor === anchor ? known : { anchor }))}
      />
    </>
  );
}

interface DocumentStateProps {
  query: UseQueryResult<Document>;
  place: DocumentPlace;
  /** True if no passage of the page has the address's anchor. */
  isAnchorUnknown: boolean;
  onUnknownAnchor: (anchor: string) => void;
}

function DocumentState({ query, ...rest }: DocumentStateProps) {
  // Checked even if the page was shown before: its source may have been removed since.
  if (query.error instanceof ApiError && missingCodes.has(query.error.code))
    return <DocumentNotFound place={rest.place} />;
  if (query.data) return <DocumentView document={query.data} {...rest} />;
  if (query.isError) {
    return (
      <div className="page py-12">
        <h1 className="heading-page mb-5">Couldn't load this page</h1>
        <RetryNotice query={query} />
      </div>
    );
  }
  return <DocumentLoading />;
}

function DocumentLoading() {
  return (
    // As high as most pages, so that the footer is visible only below the page.
    <div className="frame min-h-dvh py-10">
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

/** Shown alike for pages that are not indexed and pages in other users' modules. */
function DocumentNotFound({ place: { address } }: { place: DocumentPlace }) {
  const location = useLocation();
  const user = useSession().data?.user;
  const mayAdd = useMayWrite();
  const isWeb = /^https?:\/\//i.test(address) && URL.canParse(address);
  return (
    <div className="page flex min-h-[calc(100dvh-3.5rem)] flex-1 flex-col justify-center py-20">
      <p className="tabular mb-3 font-medium font-mono text-lamp text-sm">404</p>
      <h1 className="heading-page">This page is not indexed</h1>
      <p className="mt-2 max-w-prose text-md text-soft">
        {address === '' ? (
          "Put a page's address after /document/."
        ) : (
          <>
            <code className="font-mono text-ink text-sm">{address}</code> is not in any documentation that you can read.
          </>
        )}
      </p>
      <p className="mt-2 max-w-prose text-soft">
        {user
          ? mayAdd
            ? 'Index its site or repository to make it available to you and your agents.'
            : 'Ask a writer in your team to index its site or repository.'
          : 'If it is your documentation, sign in to read it.'}
      </p>
      <div className="mt-7 flex flex-wrap gap-2">
        {user && mayAdd && isWeb && (
          <ActionLink to={`/resources?source=${encodeURIComponent(address)}#add`}>Add this documentation</ActionLink>
        )}
        {user === null && <ActionLink to={loginPathFor(location)}>Sign in</ActionLink>}
        {user && <ButtonLink to="/search">Search instead</ButtonLink>}
        {isWeb && (
          <a href={address} target="_blank" rel="noopener noreferrer nofollow" className={buttonClasses('plain')}>
            Open the original
            <ArrowUpRight aria-hidden className="size-4" />
          </a>
        )}
      </div>
    </div>
  );
}
