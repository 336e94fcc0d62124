import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { RetryNotice } from '../../../kit/retry-notice.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { buttonClasses } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';

interface TestModeQueryProps<Data> {
  query: { data: Data | undefined; error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** What a page of the test mode shows while it loads, when there is none, and when it is there. */
export function TestModeQuery<Data>({ query, children }: TestModeQueryProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) {
    return (
      <Loading label="Loading…" className="flex flex-col gap-4">
        <Skeleton className="h-36 w-full rounded-xl" />
        <Skeleton className="h-24 w-full rounded-xl" />
      </Loading>
    );
  }
  const isMissing = query.error instanceof ApiError && query.error.code.endsWith('not-found');
  return isMissing ? (
    <Notice
      tone="warn"
      title="Page not found"
      action={
        <Link to="/subscribe" className={buttonClasses()}>
          See the plans
        </Link>
      }
    >
      It belongs to someone else, has expired, or this installation takes real payments.
    </Notice>
  ) : (
    <RetryNotice query={query} />
  );
}
