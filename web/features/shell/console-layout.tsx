import type { ReactNode } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { outboxEndpoints } from '#contract/outbox.ts';
import { useEndpoint } from '../../kit/endpoint-query.ts';
import { OneNotice } from '../../kit/retry-notice.tsx';
import { useSeenMails } from '../../lib/seen-mails.ts';
import { useSession } from '../../lib/session.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { classNames } from '../../ui/class-names.ts';
import { useCurrentInRow } from '../../ui/current-in-row.ts';
import { countOf } from '../../ui/quantities.ts';
import { SiteIcon } from './site-icons.tsx';
import { destinationsFor } from './site-map.ts';

/** Team pages without their own navigation entry. */
const teamPages = ['/add-members', '/team-manage-seats', '/upgrade-team'];

interface ConsoleLayoutProps {
  /** The workspace switcher; a separate feature, passed in by the route. */
  switcher: ReactNode;
}

/** Layout of the signed-in user's screens: the navigation is at the side, or above the screen on narrow windows. */
export function ConsoleLayout({ switcher }: ConsoleLayoutProps) {
  const user = useSession().data?.user ?? null;
  const team = useSelectedTeam();
  const workspace = useWorkspaceId();
  const { pathname } = useLocation();
  const destinations = destinationsFor('console', user, team);
  const place = teamPages.includes(pathname) ? '/team' : pathname;
  // A team may add another destination once it is known.
  const list = useCurrentInRow<HTMLUListElement>(`${pathname} ${destinations.length}`, '[aria-current="page"]');
  return (
    // As high as the window, so that the footer does not move while the screen loads.
    <div className="frame flex px-0! min-h-[calc(100dvh-3.5rem)] flex-1 flex-col lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
      <nav aria-label="Console" className="border-line max-lg:border-b lg:border-r lg:py-8 lg:pr-3 lg:pl-5.5">
        <div className="flex flex-col lg:sticky lg:top-22 lg:gap-4">
          <div className="max-lg:px-5 max-lg:pt-3 max-lg:pb-1 max-lg:sm:w-80 max-lg:md:px-8">{switcher}</div>
          <ul
            ref={list}
            className="flex gap-0.5 max-lg:overflow-x-auto max-lg:px-2.5 max-lg:py-1.5 max-lg:md:px-5.5 lg:flex-col"
          >
            {destinations.map(({ path, label, audience }, at) => (
              <li
                key={path}
                className={classNames(
                  'shrink-0',
                  // The operator's pages are separated from the others.
                  audience === 'operators' &&
                    destinations[at - 1]?.audience !== 'operators' &&
                    'border-line max-lg:ml-1.5 max-lg:border-l max-lg:pl-1.5 lg:mt-2.5 lg:border-t lg:pt-2.5',
                )}
              >
                <ConsoleLink to={path} isCurrent={place === path || place.startsWith(`${path}/`)}>
                  <SiteIcon path={path} />
                  {label}
                  {path === '/outbox' && <WaitingMails />}
                </ConsoleLink>
              </li>
            ))}
          </ul>
        </div>
      </nav>
      {/* Remounts the screen when the workspace changes, except while creating a team, which itself changes it. */}
      <main
        key={pathname === '/create-team' ? pathname : workspace}
        id="main"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col outline-none"
      >
        <OneNotice>
          <Outlet />
        </OneNotice>
      </main>
    </div>
  );
}

interface ConsoleLinkProps {
  to: string;
  isCurrent: boolean;
  children: ReactNode;
}

function ConsoleLink({ to, isCurrent, children }: ConsoleLinkProps) {
  return (
    <Link
      to={to}
      aria-current={isCurrent ? 'page' : undefined}
      className={classNames(
        'flex h-8.5 items-center gap-2.5 rounded-md px-2.5 font-medium text-sm transition-colors duration-100',
        isCurrent ? 'bg-hover text-ink' : 'text-soft hover:bg-hover hover:text-ink',
      )}
    >
      {children}
    </Link>
  );
}

const askedEveryMs = 30_000;

/** The number of new emails, shown beside the operator's link to the outbox. */
function WaitingMails() {
  const seen = useSeenMails();
  const mails = useEndpoint(outboxEndpoints.listOutbox, {}, { everyMs: askedEveryMs }).data?.mails ?? [];
  const waiting = mails.filter(({ sentAt }) => sentAt > seen).length;
  if (waiting === 0) return null;
  return (
    <span className="relative ml-auto inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full border border-warn-line bg-warn-ground px-1 text-2xs text-warn tabular-nums">
      <span aria-hidden>{waiting}</span>
      <span className="sr-only">, {countOf(waiting, 'email')} waiting</span>
    </span>
  );
}
