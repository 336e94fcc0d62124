import { useQuery } from '@tanstack/react-query';
import { Ellipsis, FileText, Pencil, RefreshCw, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { displayedStatus, type PdfSet } from '#contract/pdf-sets.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuNote, MenuSeparator } from '../../ui/menu.tsx';
import { OpeningCard } from '../../ui/opening-card.tsx';
import { countOf, formatBytes } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { chooseFiles } from './choose-files.ts';
import { DropZone } from './drop-zone.tsx';
import { FileTable } from './file-table.tsx';
import { unfinishedOptions, useIndexPdfSet } from './queries.ts';
import { RefusedFiles } from './refused-files.tsx';
import { RenameSet } from './rename-set.tsx';
import { RunOfSet } from './run-of-set.tsx';
import { UnfinishedUploads } from './unfinished-uploads.tsx';
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
  const toast = useToast();
  const status = displayedStatus(set.status);
  const startIndex = () =>
    index.mutate(
      { setId: set.setId },
      { onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 }) },
    );
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
      actions={<SetActions set={set} onIndex={startIndex} onRename={() => setIsRenaming(true)} onRemove={onRemove} />}
      beneath={
        <>
          <RunOfSet set={set} />
          {set.lastError !== null && status === 'failed' && (
            <div className="flex flex-wrap items-center justify-between gap-3 px-4 pb-3 sm:pl-14">
              <p className="wrap-anywhere text-danger text-sm">{set.lastError}</p>
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
  onIndex: () => void;
  onRename: () => void;
  onRemove: () => void;
}

function SetActions({ set, onIndex, onRename, onRemove }: SetActionsProps) {
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
      <Menu
        trigger={
          <Button look="quiet" size="icon-sm" aria-label={`More for ${set.displayName}`}>
            <Ellipsis aria-hidden className="size-4" />
          </Button>
        }
      >
        {set.canChange && !isRunning && set.totalFiles > 0 && (
          <MenuItem icon={<RefreshCw aria-hidden className="size-4" />} onSelect={onIndex}>
            {set.lastIndexedAt === null ? 'Index' : 'Index again'}
          </MenuItem>
        )}
        {set.canChange && (
          <MenuItem icon={<Pencil aria-hidden className="size-4" />} onSelect={onRename}>
            Rename
          </MenuItem>
        )}
        {!set.canChange && <MenuNote>Readers can't change sets.</MenuNote>}
        {set.canRemove && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash2 aria-hidden className="size-4" />} isDangerous onSelect={onRemove}>
              Remove…
            </MenuItem>
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
      <UnfinishedUploads setId={set.setId} unfinished={unfinished} />
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
