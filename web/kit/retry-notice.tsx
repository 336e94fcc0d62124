import { sentenceForPeople } from '../lib/api-error.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

interface RetryNoticeProps {
  /** The query that failed and can be sent again. */
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
  title?: string;
  /** Beside other things in a panel. */
  isSmall?: boolean;
}

/** Shown in place of data that failed to load: why, and a button to try again. */
export function RetryNotice({ query, title, isSmall = false }: RetryNoticeProps) {
  return (
    <Notice
      tone="bad"
      {...(title === undefined ? {} : { title })}
      action={
        <Button size={isSmall ? 'sm' : 'md'} isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {sentenceForPeople(query.error)}
    </Notice>
  );
}
