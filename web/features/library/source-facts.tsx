import type { ReactNode } from 'react';
import * as limits from '#contract/limits.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { countOf, formatBytes, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Fact } from './fact.tsx';
import { kindLabels, type ListedSource } from './listed-sources.ts';
import { RepositoryFacts, useRepository } from './repository-facts.tsx';

/** What it serves in numbers, and how it is read. */
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
      <Facts title="How it is read">
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
