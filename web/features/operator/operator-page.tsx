import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

interface OperatorPageProps {
  title: string;
  /** A sentence that describes the screen. */
  about: ReactNode;
  /** Shown at the end of the heading's line. */
  action?: ReactNode;
  children: ReactNode;
}

/** Frame of the operators' screens. */
export function OperatorPage({ title, about, action, children }: OperatorPageProps) {
  const user = useSession().data?.user;
  const isOther = user !== undefined && user?.isOperator !== true;
  return (
    <div className="page flex flex-1 flex-col gap-6 py-10">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className="heading-page">{title}</h1>
          <p className="mt-1 max-w-prose text-soft">{about}</p>
        </div>
        {!isOther && action}
      </div>
      {isOther ? (
        <EmptyState icon={<Lock aria-hidden className="size-5" />} title="For operators">
          Only operators of this installation can open this page. Ask one of them for access.
        </EmptyState>
      ) : (
        children
      )}
    </div>
  );
}
