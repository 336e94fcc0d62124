import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

interface SectionFaultProps {
  what: string;
  query: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> };
}

/** Stands where a part of the page would, when it could not be read. */
export function SectionFault({ what, query }: SectionFaultProps) {
  return (
    <Notice
      tone="warn"
      title={`${what} could not be read`}
      action={
        <Button size="sm" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {sentenceForPeople(query.error)}
    </Notice>
  );
}
