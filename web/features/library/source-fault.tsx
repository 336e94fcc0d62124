import { Link } from 'react-router';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { HeldVersion } from './held-version.tsx';
import type { ListedSource } from './listed-sources.ts';
import type { SourceActions } from './source-actions.tsx';

/** Why the last run failed, what that means for searches, and the way on. */
export function SourceFault({ source, actions }: { source: ListedSource; actions: SourceActions }) {
  const { state, lastRun, module, kind } = source;
  if (state !== 'failed' || lastRun === undefined) return null;
  if (lastRun.isHeld) {
    return <HeldVersion job={lastRun} mayWrite={actions.mayWrite} onRepeat={() => actions.onRefresh(source)} />;
  }
  return (
    <Notice
      tone={module ? 'warn' : 'bad'}
      title={module ? 'The last refresh failed' : "Couldn't index this source"}
      action={
        kind === 'pdf' ? (
          <Link to="/resources?tab=pdf-sets" className={buttonClasses('plain')}>
            Show its files
          </Link>
        ) : (
          actions.mayWrite && <Button onClick={() => actions.onRefresh(source)}>Try again</Button>
        )
      }
    >
      {lastRun.error ?? 'The run ended without a reason.'}
      {module && ' The earlier version is still served.'}
    </Notice>
  );
}
