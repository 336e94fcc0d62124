import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';

import { RetryNotice } from '../../../kit/retry-notice.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { useProductName } from '../../../lib/session.ts';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';

interface TestModeFrameProps {
  title: string;
  /** A sentence that describes the page. */
  lead: ReactNode;
  children: ReactNode;
}

/** Frame of all test mode pages, which must not be mistaken for a payment provider's. */
export function TestModeFrame({ title, lead, children }: TestModeFrameProps) {
  const productName = useProductName();
  return (
    <>
      <aside aria-label="Test mode" className="border-warn-line border-b bg-warn-ground">
        <div aria-hidden className="hazard h-2" />
        <p className="page flex items-start gap-3 py-3 text-ink">
          <FlaskConical aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
          <span className="text-pretty">
            <strong className="font-semibold">Test mode: this is not a payment page.</strong> It belongs to{' '}
            {productName} and stands in for a payment provider. You don't need a card, and no real money moves.
          </span>
        </p>
      </aside>
      <div className="page flex max-w-3xl flex-col gap-6 py-10">
        <div>
          <h1 className="heading-page">{title}</h1>
          <p className="mt-1 text-pretty text-soft">{lead}</p>
        </div>
        {children}
      </div>
    </>
  );
}

interface TestModeQueryProps<Data> {
  query: { data: Data | undefined; error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** A test mode page's content in its loading, missing and loaded states. */
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
    <Notice tone="warn" title="Page not found" action={<ButtonLink to="/subscribe">See the plans</ButtonLink>}>
      It belongs to someone else, has expired, or this installation takes real payments.
    </Notice>
  ) : (
    <RetryNotice query={query} />
  );
}
