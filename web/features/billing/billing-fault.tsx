import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

interface BillingFaultProps {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** How the payments stand is not known: nothing can be bought or changed until it is. */
export function BillingFault({ query }: BillingFaultProps) {
  return (
    <Notice
      tone="bad"
      title="Plan and payments could not be loaded"
      action={
        <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {sentenceForPeople(query.error)}
    </Notice>
  );
}
