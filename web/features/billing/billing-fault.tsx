import { sentenceForPeople } from '../../lib/api-error.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';

interface BillingFaultProps {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** How the payments stand is not known: nothing can be bought or changed until it is. */
export function BillingFault({ query }: BillingFaultProps) {
  return (
    <RetryNotice query={query} title="Plan and payments could not be loaded">
      {sentenceForPeople(query.error)}
    </RetryNotice>
  );
}
