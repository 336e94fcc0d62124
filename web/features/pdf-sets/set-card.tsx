import { useQuery } from '@tanstack/react-query';
import { Ellipsis, FileText, Pencil, RefreshCw, Search, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import * as limits from '#contract/limits.ts';
import { displayedStatus, type PdfSet, type PdfUpload, pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { pagesOfJob } from '../../lib/job-pages.ts';
import { jobsOptions } from '../../lib/library-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuNote, MenuSeparator } from '../../ui/menu.tsx';
import { OpeningCard } from '../../ui/opening-card.tsx';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatBytes, formatCount, formatSeconds } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { chooseFiles } from './choose-files.ts';
import { DropZone, RefusedFiles } from './drop-zone.tsx';
import { FileTable } from './file-table.tsx';
import { unfinishedOptions, useIndexPdfSet, useRenamePdfSet } from './queries.ts';
import type { FileUpload } from './upload-queue.ts';
import { UploadRows } from './upload-rows.tsx';
import { uploads } from './uploads.ts';

const tones: Record<ReturnType<typeof displayedStatus>, Tone> = {
  complete: 'good',
  failed: 'bad',
  running: 'busy',
  pending: 'quiet',
  unknown: 'warn',
};

interface SetCardProps {
  set: PdfSet;
  list: FileUpload[];
  isOpen: boolean;
  onToggle: () => void;
  onRemove: () => void;
}

export function SetCard({ set, list, isOpen, onToggle, onRemove }: SetCardProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const index = useIndexPdfSet();
  const tellFault = useFaultToast();
  const status = displayedStatus(set.status);
  const startIndex = () => index.mutate({ setId: set.setId }, { onError: tellFault });
  return (
    <OpeningCard
      isOpen={isOpen}
      onToggle={onToggle}
      icon={<FileText className="size-4" />}
      name={set.displayName}
      badges={
        <>
          <Badge tone={tones[status]}>
            <span className="inline-block first-letter:uppercase">{status}</span>
          </Badge>
          {set.errorCount > 0 && <Badge tone="warn">{countOf(set.errorCount, 'file')} failed</Badge>}
        </>
      }
      facts={
        <>
          {factsOf(set).join(' · ')}
          {set.lastIndexedAt !== null && (
            <>
              {' · indexed '}
              <RelativeTime at={set.lastIndexedAt} isQuiet />
            </>
          )}
        </>
      }
      editor={isRenaming ? <RenameSet set={set} onDone={() => setIsRenaming(false)} /> : undefined}
      actions={
        <SetActions
          set={set}
          isIndexing={index.isPending}
          onIndex={startIndex}
          onRename={() => setIsRenaming(true)}
          onRemove={onRemove}
        />
      }
      beneath={
        <>
          <RunOfSet set={set} />
          {set.lastError !== null && status === 'failed' && (
            <div className="flex flex-wrap items-center justify-between gap-3 px-4 pb-3 sm:pl-14">
              <p className="text-danger text-sm">{set.lastError}</p>
              {set.canChange && (
                <Button size="sm" isBusy={index.isPending} onClick={startIndex}>
                  Try again
                </Button>
              )}
            </div>
          )}
        </>
      }
    >
      <SetFiles set={set} list={list} />
    </OpeningCard>
  );
}

interface SetActionsProps {
  set: PdfSet;
  isIndexing: boolean;
  onIndex: () => void;
  onRename: () => void;
  onRemove: () => void;
}

function SetActions({ set, isIndexing, onIndex, onRename, onRemove }: SetActionsProps) {
  const isRunning = displayedStatus(set.status) === 'running';
  return (
    <>
      {set.totalDocs > 0 && (
        <Link
          to={`/search?${new URLSearchParams({ module: set.moduleId })}`}
          aria-label={`Search in ${set.displayName}`}
          className={buttonClasses('quiet', 'icon-sm')}
        >
          <Search aria-hidden className="size-4" />
        </Link>
      )}
      <Menu trigger={<IconButton icon={Ellipsis} label={`More for ${set.displayName}`} isBusy={isIndexing} />}>
        {set.canChange && !isRunning && set.totalFiles > 0 && (
          <MenuItem icon={RefreshCw} onSelect={onIndex} label={set.lastIndexedAt === null ? 'Index' : 'Index again'} />
        )}
        {set.canChange && <MenuItem icon={Pencil} onSelect={onRename} label="Rename" />}
        {!set.canChange && <MenuNote>Readers can't change sets.</MenuNote>}
        {set.canRemove && (
          <>
            <MenuSeparator />
            <MenuItem icon={Trash2} isDangerous onSelect={onRemove} label="Remove…" />
          </>
        )}
      </Menu>
    </>
  );
}

function SetFiles({ set, list }: { set: PdfSet; list: FileUpload[] }) {
  const workspace = useWorkspaceId();
  const [refused, setRefused] = useState<string[]>([]);
  const [known, setKnown] = useState(0);
  const begun = useQuery({ ...unfinishedOptions(workspace, set.setId), enabled: set.canChange });
  const own = new Set(list.map(({ uploadId }) => uploadId));
  const unfinished = (begun.data ?? []).filter(({ uploadId }) => !own.has(uploadId));
  const add = (files: File[]) => {
    const sending = list.filter(({ state }) => state !== 'done');
    const chosen = chooseFiles(files, {
      filesTaken: set.totalFiles + sending.length + unfinished.length,
      known: [...set.pdfFiles, ...sending],
      unfinished,
    });
    setRefused(chosen.refused);
    setKnown(chosen.known);
    uploads.add(set.setId, workspace, chosen.files);
  };
  return (
    <>
      {set.canChange && <DropZone isSmall onFiles={add} />}
      <RefusedFiles refused={refused} />
      {known > 0 && (
        <p role="status" className="text-soft text-sm">
          {known === 1 ? '1 file is in this set already and was' : `${known} files are in this set already and were`}{' '}
          skipped.
        </p>
      )}
      <UploadRows list={list} />
      <UnfinishedUploads unfinished={unfinished} />
      {set.pdfFiles.length > 0 ? (
        <FileTable set={set} />
      ) : (
        list.length === 0 && <p className="text-faint text-sm">This set has no files yet.</p>
      )}
    </>
  );
}

function factsOf(set: PdfSet) {
  const facts = [countOf(set.totalFiles, 'file'), formatBytes(set.totalSizeBytes)];
  if (set.indexedPages > 0) facts.push(`${countOf(set.indexedPages, 'page')} indexed`);
  if (set.language !== null) facts.push(set.language);
  const waiting = set.pdfFiles.filter(({ status }) => status === 'waiting').length;
  if (waiting > 0 && displayedStatus(set.status) !== 'running') facts.push(`${countOf(waiting, 'file')} to index`);
  return facts;
}

function RenameSet({ set, onDone }: { set: PdfSet; onDone: () => void }) {
  const [name, setName] = useState(set.displayName);
  const rename = useRenamePdfSet();
  const isMissing = name.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (rename.isPending || isMissing) return;
    rename.mutate({ setId: set.setId, displayName: name.trim() }, { onSuccess: onDone });
  };
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
      noValidate
      aria-label={`Rename ${set.displayName}`}
      className="flex min-w-0 flex-1 flex-wrap items-start gap-2"
    >
      <TextField
        label="Name"
        isLabelHidden
        autoFocus
        autoComplete="off"
        maxLength={limits.displayNameCharactersMax}
        value={name}
        onValueChange={setName}
        error={isMissing ? 'Enter a name.' : rename.error ? sentenceForPeople(rename.error) : undefined}
        className="flex-1 basis-56"
      />
      <Button type="submit" isBusy={rename.isPending}>
        Rename
      </Button>
      <Button look="quiet" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}

/** Progress of a set's run; empty if there is none. */
function RunOfSet({ set }: { set: PdfSet }) {
  const jobs = useQuery(jobsOptions(useWorkspaceId())).data;
  const job = set.jobId === null ? undefined : jobs?.find(({ id }) => id === set.jobId);
  if (job === undefined || job.endTime !== null) return null;
  const { done, total } = pagesOfJob(job);
  const isCounting = job.status === 'CRAWLING' && job.found > 0;
  const words =
    job.status === 'QUEUED'
      ? 'Queued'
      : isCounting
        ? `${formatCount(done)} of ${countOf(total, 'file')} read`
        : job.status === 'INDEXING'
          ? 'Building the index'
          : 'Checking the files';
  return (
    <div className="px-4 pb-3.5 sm:pl-14">
      <Progress
        label={`Indexing of ${set.displayName}`}
        value={isCounting ? done : null}
        max={total}
        valueText={words}
        tone={job.status === 'QUEUED' ? 'quiet' : 'busy'}
      />
      <p className="tabular mt-1.5 flex justify-between gap-4 text-faint text-sm">
        <span>{words}</span>
        {job.secondsLeft !== null && <span>{formatSeconds(job.secondsLeft)} left</span>}
      </p>
    </div>
  );
}

/** Uploads from an earlier visit: a page cannot reopen a file without the user choosing it again. */
function UnfinishedUploads({ unfinished }: { unfinished: PdfUpload[] }) {
  if (unfinished.length === 0) return null;
  return (
    <div className="rounded-lg border border-warn-line bg-warn-ground px-4 py-3 text-sm">
      <p className="text-ink">Upload interrupted. Choose the same files to resume.</p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {unfinished.map((upload) => (
          <UnfinishedUpload key={upload.uploadId} {...upload} />
        ))}
      </ul>
    </div>
  );
}

function UnfinishedUpload({ uploadId, fileName, offset, sizeBytes, expiresAt }: PdfUpload) {
  const abandon = useAction(pdfSetEndpoints.abandonPdfUpload, { invalidates: ['pdfSets'] });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3">
      <span className="wrap-anywhere text-soft">
        {fileName}, {formatBytes(offset)} of {formatBytes(sizeBytes)}, deleted <RelativeTime at={expiresAt} />
      </span>
      <Button look="quiet" size="sm" aria-label={`Discard ${fileName}`} onClick={() => abandon.mutate({ uploadId })}>
        Discard
      </Button>
    </li>
  );
}
