import { useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router';
import * as limits from '#contract/limits.ts';
import { useSession } from '../../lib/session.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { Button } from '../../ui/button.tsx';
import { inputClasses } from '../../ui/input-classes.ts';
import { SiteIcon } from './site-icons.tsx';
import { destinationsFor } from './site-map.ts';

export function NotFoundScreen() {
  const path = useAskedPath();
  const user = useSession().data?.user ?? null;
  const team = useSelectedTeam();
  return (
    <div className="page flex flex-1 flex-col justify-center py-20">
      <p className="tabular mb-3 font-medium font-mono text-lamp text-sm">404</p>
      <h1 className="heading-page">Page not found</h1>
      <p className="mt-2 max-w-prose text-md text-soft">
        {path === undefined ? 'The address' : <code className="font-mono text-ink text-sm">{path}</code>} is misspelled,
        or the page has moved.
      </p>
      <form role="search" action="/search" className="mt-7 flex max-w-xl gap-2">
        <input
          type="search"
          name="q"
          required
          maxLength={limits.queryCharactersMax}
          aria-label="Search documentation"
          placeholder="Search documentation"
          className={inputClasses}
        />
        <Button type="submit" look="plain">
          Search
        </Button>
      </form>
      <nav aria-label="Where to go instead" className="mt-10 max-w-xl">
        <h2 className="heading-part">Where to go instead</h2>
        <ul className="mt-3 grid gap-x-8 border-line border-t sm:grid-cols-2">
          {destinationsFor('notFound', user, team).map(({ path: to, label }) => (
            <li key={to} className="border-line border-b">
              <Link
                to={to}
                className="flex min-h-11 items-center gap-3 text-ink hover:text-lamp [&_svg]:text-faint hover:[&_svg]:text-lamp"
              >
                <SiteIcon path={to} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

/** Returns the requested path. The page is prerendered once for all paths, so it is unknown until scripts run. */
function useAskedPath(): string | undefined {
  const { pathname } = useLocation();
  const isWritten = useSyncExternalStore(
    () => () => undefined,
    () => false,
    () => true,
  );
  return isWritten ? undefined : pathname;
}
