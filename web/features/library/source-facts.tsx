import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as limits from '#contract/limits.ts';
import type { Repository } from '#contract/repositories.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf, formatBytes, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { kindLabels, type ListedSource } from './listed-sources.ts';
import { repositoriesOptions } from './queries.ts';

/** A source's figures and its settings. */
export function SourceFacts({ source }: { source: ListedSource }) {
  const { module, lastRun } = source;
  const repository = useRepository(source);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Facts title="Served">
        <Fact name="Pages">
          {module ? formatCount(module.pageCount) : '–'}
          {module &&
            module.kind !== 'pdf' &&
            module.limits.maxPages > 1 &&
            module.pageCount >= module.limits.maxPages && (
              <span className="block text-warn text-xs">
                The page limit was reached. Raise it and index again, or index parts of the source.
              </span>
            )}
        </Fact>
        <Fact name="Passages">{module ? formatCount(module.snippetCount) : '–'}</Fact>
        <Fact name="Tokens">{module ? formatCount(module.tokenCount) : '–'}</Fact>
        <Fact name="Size">{module ? formatBytes(module.byteCount) : '–'}</Fact>
        <Fact name="Updated">
          {typeof module?.lastUpdated === 'number' ? <RelativeTime at={module.lastUpdated} /> : 'Never'}
          {source.state === 'stale' && (
            <span className="block text-warn text-xs">
              Not refreshed for more than {limits.sourceStaleDays} days: refresh it.
            </span>
          )}
        </Fact>
      </Facts>
      <Facts title="Settings">
        <Fact name="Kind">{kindLabels[source.kind]}</Fact>
        <Fact name="Id">
          <span className="inline-flex min-w-0 items-center gap-1">
            <code className="wrap-anywhere font-mono text-sm">{source.moduleId}</code>
            <CopyButton text={source.moduleId} label="Copy the id" />
          </span>
        </Fact>
        {typeof module?.version === 'string' && (
          <Fact name="Version">
            {module.version} <span className="text-faint">of {module.library}</span>
          </Fact>
        )}
        {repository && <RepositoryFacts repository={repository} />}
        <Fact name="Visible to">
          {source.visibility === 'private' ? 'Only this workspace' : 'Everyone on this installation'}
        </Fact>
        {module?.hasCredential && <Fact name="Credential">Uses a stored credential</Fact>}
        {module?.rendersScripts && <Fact name="Scripts">Rendered in a browser</Fact>}
        {(module ?? lastRun) && <Limits source={source} />}
      </Facts>
    </div>
  );
}

function Limits({ source: { module, lastRun, kind } }: { source: ListedSource }) {
  const known = (module ?? lastRun)?.limits;
  if (known === undefined || kind === 'pdf') return null;
  return (
    <>
      <Fact name="Max pages">{formatCount(known.maxPages)}</Fact>
      {kind === 'site' && <Fact name="Link depth">{known.depth === null ? 'No limit' : formatCount(known.depth)}</Fact>}
      {known.seeds.length > 0 && (
        <Fact name="Also starts at">{countOf(known.seeds.length, 'address', 'addresses')}</Fact>
      )}
    </>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface shadow-sm">
      <h2 className="heading-part border-line border-b px-4 py-2.5 sm:px-5">{title}</h2>
      <dl className="tabular divide-y divide-line px-4 sm:px-5">{children}</dl>
    </section>
  );
}

/** Enough characters to distinguish commits, as on code hosts. */
const shownRevisionCharacters = 10;

/** Returns the state of a source's repository, or undefined for other sources and while it loads. */
function useRepository({ kind, moduleId, visibility }: ListedSource): Repository | undefined {
  const repositories = useQuery({ ...repositoriesOptions(useWorkspaceId()), enabled: kind === 'git' });
  return repositories.data?.find((one) => one.moduleId === moduleId && one.visibility === visibility);
}

/** The fetched revision and the time of the last check. */
function RepositoryFacts({ repository }: { repository: Repository }) {
  const { ref, folder, revision, checkedAt } = repository;
  return (
    <>
      <Fact name={ref?.kind === 'tag' ? 'Tag' : 'Branch'}>{ref === null ? 'The default branch' : ref.name}</Fact>
      {folder !== null && <Fact name="Folder">{folder}</Fact>}
      {revision !== null && (
        <Fact name="Commit">
          <code title={revision} className="font-mono text-sm">
            {revision.slice(0, shownRevisionCharacters)}
          </code>
        </Fact>
      )}
      <Fact name="Last check">{checkedAt === null ? 'Not yet' : <RelativeTime at={checkedAt} />}</Fact>
    </>
  );
}

/** Shown above everything else: the served version may be older than the repository. */
export function RepositoryFault({ source }: { source: ListedSource }) {
  const error = useRepository(source)?.checkError;
  if (typeof error !== 'string') return null;
  return (
    <Notice tone="warn" title="Couldn't check the repository for changes">
      {error}
    </Notice>
  );
}

/** A row in a list of facts. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-h-10 grid-cols-[8rem_minmax(0,1fr)] items-center gap-4 py-1.5">
      <dt className="text-faint text-sm">{name}</dt>
      <dd className="wrap-anywhere text-ink">{children}</dd>
    </div>
  );
}
