import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useProductName, useSession } from '../../lib/session.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { useDocsLink, useOutsideLinks } from './outside-links.ts';
import { destinationsFor } from './site-map.ts';

export function Footer() {
  const productName = useProductName();
  const docs = useDocsLink();
  const outside = useOutsideLinks(['contact', 'source', 'bugReport', 'missingDocs']);
  return (
    <footer className="mt-auto border-line border-t">
      <div className="frame flex flex-wrap justify-between gap-x-16 gap-y-10 py-10 text-sm">
        <div className="max-w-64">
          <p className="flex items-center gap-2 font-display font-semibold text-ink text-md">
            <BrandMark className="size-5" />
            {productName}
          </p>
          <p className="mt-2 text-faint">Context for your agent.</p>
        </div>
        <nav aria-label="Footer" className="grid grow grid-cols-2 gap-x-10 gap-y-8 sm:max-w-2xl sm:grid-cols-3">
          <Group title="Product" place="product" />
          <Group title="Learn" place="learn">
            {docs !== undefined && <Entry href={docs} label="Docs" />}
          </Group>
          <Group title="This installation" place="installation">
            {outside.map(({ href, label }) => (
              <Entry key={label} href={href} label={label} />
            ))}
          </Group>
        </nav>
      </div>
    </footer>
  );
}

interface GroupProps {
  title: string;
  place: 'product' | 'learn' | 'installation';
  /** Entries that are not routes. */
  children?: ReactNode;
}

function Group({ title, place, children }: GroupProps) {
  const user = useSession().data?.user ?? null;
  const team = useSelectedTeam();
  return (
    <div>
      <p className="mb-2 font-medium text-ink">{title}</p>
      <ul className="flex flex-col">
        {place === 'learn' && children}
        {destinationsFor(place, user, team).map(({ path, label }) => (
          <li key={path}>
            <Link to={path} className={entryClasses}>
              {label}
            </Link>
          </li>
        ))}
        {place !== 'learn' && children}
      </ul>
    </div>
  );
}

function Entry({ href, label }: { href: string; label: string }) {
  return (
    <li>
      <a href={href} className={entryClasses}>
        {label}
      </a>
    </li>
  );
}

const entryClasses = 'inline-flex min-h-7 items-center rounded-xs text-soft hover:text-ink hover:underline';
