import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { type AuditEntry, auditEndpoints } from '#contract/audit.ts';
import { toRequest } from '#contract/endpoint.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import type { SelectedTeam } from '../../lib/team-queries.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Select } from '../../ui/select.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { actionOf, type LogPart, logParts, remarkOf } from './log-words.ts';
import { auditOptions } from './queries.ts';

/** What was done in the team, for its admins, newest first. */
export function LogTab({ team }: Pick<SelectedTeam, 'team'>) {
  const [params, setParams] = useSearchParams();
  const part = logParts.find(({ value }) => value === params.get('show'))?.value ?? 'all';
  const show = (next: string) =>
    setParams({ tab: 'log', ...(next === 'all' ? {} : { show: next }) }, { replace: true, preventScrollReset: true });
  const asked = { teamId: team.teamId, action: part === 'all' ? undefined : part };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Select label="Show" value={part} options={[...logParts]} onChange={show} />
        <a href={toRequest(auditEndpoints.exportAudit, asked).path} download className={buttonClasses('plain', 'sm')}>
          <Download aria-hidden className="size-3.5" />
          Export CSV
        </a>
      </div>
      <Log key={part} teamId={team.teamId} part={part} onClear={() => show('all')} />
    </div>
  );
}

function Log({ teamId, part, onClear }: { teamId: string; part: LogPart; onClear: () => void }) {
  const log = useInfiniteQuery(auditOptions(teamId, part));
  if (log.data) {
    const entries = log.data.pages.flatMap((page) => page.entries);
    if (entries.length === 0) {
      return (
        <div className="flex flex-col items-center gap-3 rounded-lg border border-line bg-surface px-6 py-10 text-center">
          <p className="text-soft">No matching entries.</p>
          <Button size="sm" onClick={onClear}>
            Clear filters
          </Button>
        </div>
      );
    }
    return (
      <>
        <Table
          caption="Team audit log"
          columns={columns}
          rows={entries}
          rowKey={({ id }) => id}
          sorting={undefined}
          onSortingChange={() => undefined}
        />
        {log.hasNextPage && (
          <Button className="self-center" isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Show earlier
          </Button>
        )}
      </>
    );
  }
  if (log.isError) {
    return <RetryNotice query={log} title="Couldn't load the log" />;
  }
  return (
    <Loading label="Loading the log…" className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="h-9 border-line border-b bg-sunken" />
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex h-11 items-center gap-8 border-line border-b px-4 last:border-b-0">
          <Skeleton className="h-4 w-24 max-md:hidden" />
          <Skeleton className="h-4 w-32 max-md:hidden" />
          <Skeleton className="h-4 w-56" />
        </div>
      ))}
    </Loading>
  );
}

const columns: Column<AuditEntry>[] = [
  {
    id: 'when',
    label: 'When',
    isWide: true,
    cell: ({ at }) => (
      <span className="text-soft">
        <RelativeTime at={at} />
      </span>
    ),
  },
  {
    id: 'who',
    label: 'Who',
    isWide: true,
    cell: (entry) => <span className="wrap-anywhere text-ink">{actorOf(entry)}</span>,
  },
  {
    id: 'what',
    label: 'What',
    cell: (entry) => (
      <>
        <p>
          {actionOf(entry)}
          {hasObject(entry) && (
            <>
              {entry.action === 'member.set-role' ? ' of ' : ' '}
              <span className="font-medium text-ink">{entry.entityName}</span>
            </>
          )}
          {remarkOf(entry) !== undefined && <span className="text-faint"> {remarkOf(entry)}</span>}
        </p>
        <p className="mt-0.5 text-faint text-xs md:hidden">
          {actorOf(entry)}, <RelativeTime at={entry.at} />
        </p>
      </>
    ),
  },
];

function actorOf({ actor }: AuditEntry): string {
  return actor === null ? 'System or a deleted account' : actor.displayName || (actor.email ?? 'Someone');
}

/** Actions of members on themselves, whose name is already shown. */
function hasObject(entry: AuditEntry): boolean {
  return entry.entityName !== null && entry.entityName !== actorOf(entry) && entry.entityName !== entry.actor?.email;
}
