import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Document } from '#contract/documents.ts';
import { useSession } from '../../lib/session.ts';
import { isStale } from '../../lib/stale-module.ts';
import { Badge } from '../../ui/badge.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { countOf } from '../../ui/quantities.ts';
import { RelativeTime, useNow } from '../../ui/relative-time.tsx';

const kindWords = { site: 'Site', folder: 'Folder', git: 'Git repository', pdf: 'PDF set' } as const;

/** The page's source and age. */
export function Provenance({ document }: { document: Document }) {
  const { module, revision, fetchedAt, tokens, snippetCount } = document;
  return (
    <section aria-labelledby="provenance-heading">
      <PartHeading id="provenance-heading">Source</PartHeading>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        <Fact name="Source">
          <ModuleName document={document} />
        </Fact>
        {module.version !== null && <Fact name="Version">{module.version}</Fact>}
        <Fact name="Kind">
          {kindWords[module.kind]}
          {module.visibility === 'private' && (
            <span className="ml-2">
              <Badge icon={<Lock aria-hidden className="size-3" />}>Private</Badge>
            </span>
          )}
        </Fact>
        {revision !== null && (
          <Fact name="Revision">
            <code className="font-mono text-xs" title={revision}>
              {/^[0-9a-f]{40}$/.test(revision) ? revision.slice(0, 10) : revision}
            </code>
          </Fact>
        )}
        <Fact name="Fetched">
          <RelativeTime at={fetchedAt} />
        </Fact>
        <Fact name="Refresh">
          <RefreshState document={document} />
        </Fact>
        <Fact name="Size">
          <span className="tabular">
            {countOf(tokens, 'token')} in {countOf(snippetCount, 'passage')}
          </span>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="wrap-anywhere min-w-0 text-ink">{children}</dd>
    </>
  );
}

function ModuleName({ document: { module } }: { document: Document }) {
  const isSignedIn = Boolean(useSession().data?.user);
  if (!isSignedIn) return <>{module.displayName}</>;
  return (
    <Link to={`/resources/${module.moduleId}`} className="text-lamp underline underline-offset-3">
      {module.displayName}
    </Link>
  );
}

function RefreshState({ document: { module, refresh } }: { document: Document }) {
  const now = useNow(60_000);
  if (refresh.isRunning) return <Badge tone="busy">Refreshing</Badge>;
  const { lastUpdated } = module;
  if (lastUpdated === null) return <>Not fully read yet</>;
  const isOld = isStale(module, now);
  return (
    <>
      Checked <RelativeTime at={lastUpdated} />
      {refresh.failedAt !== null && refresh.failedAt > lastUpdated && (
        <span className="mt-1 block">
          <Badge tone="warn">Last refresh failed</Badge>
        </span>
      )}
      {isOld && (
        <span className="mt-1 block">
          <Badge tone="warn">May be out of date</Badge>
        </span>
      )}
    </>
  );
}
