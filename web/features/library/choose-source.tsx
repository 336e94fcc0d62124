import { useQuery } from '@tanstack/react-query';
import { BookOpenCheck } from 'lucide-react';
import { Link } from 'react-router';
import { RoleAwaited } from '../../kit/role-awaited.tsx';
import { modulesOptions } from '../../lib/library-queries.ts';
import { useMayWrite, useSelectedTeam } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { countOf } from '../../ui/quantities.ts';
import { AddSource } from './add-source.tsx';
import { Catalog } from './catalog.tsx';
import { searchPath } from './source-path.ts';
import { UnderWay } from './under-way.tsx';

/** The setup's first step: existing sources, a card of the catalog, or an address. */
export function ChooseSource() {
  const modules = useQuery(modulesOptions(useWorkspaceId())).data ?? [];
  const team = useSelectedTeam();
  const mayWrite = useMayWrite();
  const newest = modules.toSorted((a, b) => (b.lastUpdated ?? 0) - (a.lastUpdated ?? 0))[0];
  return (
    <>
      {newest && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-lamp-line bg-lamp-ground px-4 py-3">
          <p className="flex items-center gap-2.5 text-ink">
            <BookOpenCheck aria-hidden className="size-4.5 shrink-0 text-lamp" />
            {modules.length === 1
              ? `The documentation of ${newest.displayName} is ready to search (${countOf(newest.pageCount, 'page')}).`
              : `${countOf(modules.length, 'source')} ready to search. The newest is ${newest.displayName}.`}
          </p>
          <Link to={searchPath(newest.moduleId)} className={buttonClasses('plain', 'sm')}>
            Search it
          </Link>
        </div>
      )}
      {team === undefined ? (
        <RoleAwaited />
      ) : mayWrite ? (
        <>
          <p className="text-soft">Add a library that you work with, or continue without one.</p>
          <Catalog />
          <AddSource onStarted={() => undefined} />
          <UnderWay />
        </>
      ) : (
        <p className="text-soft">You are a reader in this team: its admins and writers add documentation.</p>
      )}
    </>
  );
}
