import { useQuery } from '@tanstack/react-query';
import { Lock, MoreHorizontal, RefreshCw, Trash2 } from 'lucide-react';
import { type HostedRepository, hostingEndpoints, pauseReasons } from '#contract/hosting.ts';
import type { JobRun, LibraryModule } from '#contract/library.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { Fault } from '../../kit/fault.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { jobsOptions, modulesOptions } from '../../lib/library-queries.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { countOf, formatBytes } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useSteps } from '../../ui/steps.tsx';
import { useToast } from '../../ui/toast.tsx';

interface RepositoryListProps {
  workspace: string;
  repositories: HostedRepository[];
  mayWrite: boolean;
  /** True if the user has a connection that can resume a paused repository. */
  mayResume: boolean;
}

export function RepositoryList({ workspace, repositories, mayWrite, mayResume }: RepositoryListProps) {
  const removing = useConfirm(
    {
      title: ({ fullName }: HostedRepository) => `Remove ${fullName}?`,
      body: () => 'Agents no longer find its pages. On GitHub, only the webhook is removed.',
      actionLabel: 'Remove repository',
      toast: ({ fullName }) => `${fullName} removed`,
    },
    useAction(hostingEndpoints.removeRepository, { invalidates: ['hosting'] }),
    ({ id }) => ({ id }),
  );
  const modules = useQuery(modulesOptions(workspace));
  const jobs = useQuery(jobsOptions(workspace));
  const { shown, listRef, more } = useSteps<HostedRepository, HTMLUListElement>('Repositories', repositories);
  return (
    <>
      <ul ref={listRef} className="divide-y divide-line rounded-xl border border-line bg-surface shadow-sm">
        {shown.map((repository) => (
          <RepositoryRow
            key={repository.id}
            {...{ repository, mayWrite, mayResume }}
            module={modules.data?.find(
              ({ moduleId, visibility }) => moduleId === repository.moduleId && visibility === 'private',
            )}
            job={jobs.data?.find(
              ({ moduleId, visibility }) => moduleId === repository.moduleId && visibility === 'private',
            )}
            onRemove={() => removing.ask(repository)}
          />
        ))}
      </ul>
      {more}
      {removing.dialog}
    </>
  );
}

interface RepositoryRowProps extends Pick<RepositoryListProps, 'mayWrite' | 'mayResume'> {
  repository: HostedRepository;
  module: LibraryModule | undefined;
  job: JobRun | undefined;
  onRemove: () => void;
}

function RepositoryRow({ repository, module, job, mayWrite, mayResume, onRemove }: RepositoryRowProps) {
  const { id, fullName, url, isPrivate, ref, folder, paused, stats } = repository;
  const { label, tone, reason } = stateOf(repository, module, job);
  const resume = useAction(hostingEndpoints.resumeRepository, { invalidates: ['hosting'] });
  return (
    <li className="flex items-start gap-3 px-4 py-3.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="wrap-anywhere font-medium text-ink underline-offset-2 hover:underline"
          >
            {fullName}
          </a>
          {isPrivate && <Badge icon={<Lock aria-hidden className="size-3" />}>Private</Badge>}
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="mt-1 text-soft text-sm">
          {ref.kind === 'tag' ? 'tag ' : ''}
          <code className="text-xs">{ref.name}</code>
          {folder !== null && (
            <>
              {' '}
              · folder <code className="text-xs">{folder}</code>
            </>
          )}
          {contentWords(repository, module).map((words) => ` · ${words}`)}
          {stats !== null && ` · ${formatBytes(stats.sizeBytes)}`}
        </p>
        {reason !== undefined && (
          <p className={`wrap-anywhere mt-1 text-sm ${tone === 'bad' ? 'text-danger' : 'text-soft'}`}>{reason}</p>
        )}
        <Provenance repository={repository} />
        <Fault error={resume.error} className="mt-1" />
      </div>
      {paused !== null && mayResume && (
        <Button
          size="sm"
          aria-label={`Resume ${fullName}`}
          isBusy={resume.isPending}
          onClick={() => resume.mutate({ id })}
        >
          Resume
        </Button>
      )}
      {mayWrite && <RowMenu repository={repository} onRemove={onRemove} />}
    </li>
  );
}

/** The line on who added the repository and when, how it is read, and how pushes are noticed. */
function Provenance({ repository }: { repository: HostedRepository }) {
  const { readBy, addedBy, addedAt, isTold, paused, stats } = repository;
  const pushedAt = stats === null ? null : stats.pushedAt;
  const who = addedBy === null ? 'a former member' : addedBy.isYou ? 'you' : addedBy.displayName;
  const reader = readBy.kind === 'installation' ? `the GitHub App on ${readBy.login}` : `the account ${readBy.login}`;
  return (
    <p className="mt-1 text-faint text-xs">
      Added by {who} <RelativeTime at={addedAt} /> · read by {reader}
      {paused === null && ` · ${isTold ? 'updated after each push' : 'checked every 5 minutes'}`}
      {pushedAt !== null && (
        <>
          {' '}
          · pushed <RelativeTime at={pushedAt} />
        </>
      )}
    </p>
  );
}

function RowMenu({ repository, onRemove }: { repository: HostedRepository; onRemove: () => void }) {
  const refresh = useAction(hostingEndpoints.refreshRepositoryStats, {
    invalidates: ['hosting'],
    toast: () => 'Files counted again',
  });
  const toast = useToast();
  const count = () =>
    refresh.mutate(
      { id: repository.id },
      { onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 6_000 }) },
    );
  return (
    <Menu
      trigger={
        <IconButton icon={MoreHorizontal} label={`Actions for ${repository.fullName}`} isBusy={refresh.isPending} />
      }
    >
      {repository.paused === null && <MenuItem icon={RefreshCw} onSelect={count} label="Count files again" />}
      <MenuItem icon={Trash2} isDangerous onSelect={onRemove} label="Remove…" />
    </Menu>
  );
}

interface RepositoryState {
  label: string;
  tone: Tone;
  /** The reason, if not obvious. */
  reason: string | undefined;
}

/** Returns a repository's state: problems that prevent updates take precedence over the last run's result. */
export function stateOf(
  { paused }: Pick<HostedRepository, 'paused'>,
  module: Pick<LibraryModule, 'pageCount'> | undefined,
  job: Pick<JobRun, 'status' | 'error' | 'isCancelled'> | undefined,
): RepositoryState {
  if (paused !== null) return { label: 'Paused', tone: 'warn', reason: pauseReasons[paused.reason] };
  if (job?.status === 'QUEUED') return { label: 'Queued', tone: 'quiet', reason: undefined };
  if (job?.status === 'CRAWLING' || job?.status === 'INDEXING') {
    return { label: module === undefined ? 'Indexing' : 'Updating', tone: 'busy', reason: undefined };
  }
  if (job?.status === 'FAILED') {
    const served = module === undefined ? '' : ' Indexed pages are still searchable.';
    return job.isCancelled
      ? { label: 'Cancelled', tone: 'quiet', reason: served.trim() || undefined }
      : { label: 'Failed', tone: 'bad', reason: `${job.error ?? 'The last run failed.'}${served}` };
  }
  return module === undefined
    ? { label: 'Not indexed', tone: 'quiet', reason: undefined }
    : { label: 'Up to date', tone: 'good', reason: undefined };
}

/** Returns a text about its content: the number of searchable pages, or else of files. */
export function contentWords(
  { stats }: Pick<HostedRepository, 'stats'>,
  module: Pick<LibraryModule, 'pageCount'> | undefined,
): string[] {
  const more = stats?.isPartial === true ? 'over ' : '';
  return [
    ...(module === undefined ? [] : [countOf(module.pageCount, 'page')]),
    ...(stats === null ? [] : [`${more}${countOf(stats.files, 'file')}, ${stats.documentationFiles} of documentation`]),
  ];
}
