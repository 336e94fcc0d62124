import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { type AuditEntry, auditEndpoints } from '#contract/audit.ts';
import { toRequest } from '#contract/endpoint.ts';
import { AuditLog } from '../../kit/audit-log.tsx';
import type { SelectedTeam } from '../../lib/team-queries.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { actionOf, type LogPart, logParts, remarkOf } from './log-words.ts';
import { auditOptions } from './queries.ts';

/** The team's audit log for admins, newest entries first. */
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
      <Log teamId={team.teamId} part={part} onClear={() => show('all')} />
    </div>
  );
}

function Log({ teamId, part, onClear }: { teamId: string; part: LogPart; onClear: () => void }) {
  return (
    <AuditLog
      caption="Team audit log"
      log={useInfiniteQuery(auditOptions(teamId, part))}
      actorOf={actorOf}
      actionOf={actionInWords}
      isFiltered={part !== 'all'}
      emptyText="No matching entries."
      onClear={onClear}
    />
  );
}

function actionInWords(entry: AuditEntry) {
  return (
    <>
      {actionOf(entry)}
      {hasObject(entry) && (
        <>
          {entry.action === 'member.set-role' ? ' of ' : ' '}
          <span className="font-medium text-ink">{entry.entityName}</span>
        </>
      )}
      {remarkOf(entry) !== undefined && <span className="text-faint"> {remarkOf(entry)}</span>}
    </>
  );
}

function actorOf({ actor }: AuditEntry): string {
  return actor === null ? 'System or a deleted account' : actor.displayName || (actor.email ?? 'Someone');
}

/** Returns false for members' actions on themselves, whose name is already shown. */
function hasObject(entry: AuditEntry): boolean {
  return entry.entityName !== null && entry.entityName !== actorOf(entry) && entry.entityName !== entry.actor?.email;
}
