import { Link } from 'react-router';
import { useProductName, useSession } from '../../lib/session.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { useOutsideLinks } from './outside-links.ts';
import { destinationsFor } from './site-map.tsx';

export function Footer() {
  const productName = useProductName();
  const user = useSession().data?.user ?? null;
  const team = useSelectedTeam();
  const outside = useOutsideLinks(['contact', 'source', 'bugReport', 'missingDocs']);
  return (
    <footer className="mt-auto border-line border-t">
      <div className="frame flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-6 text-faint text-xs">
        <p className="flex items-center gap-2">
          <BrandMark className="size-4" />
          {productName}. Context for your agent.
        </p>
        <nav aria-label="Footer">
          <ul className="flex flex-wrap gap-x-5 gap-y-1">
            {destinationsFor('footer', user, team).map(({ path, label }) => (
              <li key={path}>
                <Link to={path} className="inline-flex min-h-6 items-center rounded-xs hover:text-ink">
                  {label}
                </Link>
              </li>
            ))}
            {outside.map(({ href, label }) => (
              <li key={label}>
                <a href={href} className="inline-flex min-h-6 items-center rounded-xs hover:text-ink">
                  {label}
                </a>
              </li>
            ))}
            <li>
              <a href="/healthz" className="inline-flex min-h-6 items-center rounded-xs hover:text-ink">
                Health
              </a>
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  );
}
