import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface RetryNoticeProps {
  /** What has failed and can be asked again. */
  query: { isFetching: boolean; refetch: () => unknown };
  title?: string | undefined;
  /** Beside other things in a panel. */
  isSmall?: boolean;
  /** What went wrong, as a sentence. */
  children: ReactNode;
}

/** In place of what could not be loaded: why, and the way to try again. */
export function RetryNotice({ query, title, isSmall = false, children }: RetryNoticeProps) {
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
      {children}
    </Notice>
  );
}
