import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { identityTexts } from '#contract/identity-texts.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { Door } from './door.tsx';

interface ActionFailureProps {
  sentence: string;
  /** What can be done about it, beside going home. */
  children?: ReactNode;
}

/** A link that leads to nothing. */
export function ActionFailure({ sentence, children }: ActionFailureProps) {
  return (
    <Door title={identityTexts.actionFailed}>
      <p role="alert">{sentence}</p>
      <div className="flex flex-wrap gap-2">
        {children}
        <Link to="/" className={buttonClasses('plain')}>
          Return home
        </Link>
      </div>
    </Door>
  );
}
