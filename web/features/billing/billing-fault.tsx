import { RetryNotice } from '../../kit/retry-notice.tsx';

interface BillingFaultProps {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** How the payments stand is not known: nothing can be bought or changed until it is. */
export function BillingFault({ query }: BillingFaultProps) {
  return <RetryNotice query={query} title="Couldn't load plan and payments" />;
}
