import { useQuery } from '@tanstack/react-query';
import { FileText, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { OutputOf } from '#contract/endpoint.ts';
import type { PdfSet, pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { pdfSetsOptions } from '../../lib/pdf-set-queries.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf, formatBytes } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { NewSetForm } from './new-set-form.tsx';
import { useRemovePdfSet } from './queries.ts';
import { SetCard } from './set-card.tsx';
import { uploads, useUploads } from './uploads.ts';

/** Sets of uploaded PDF files: made, filled, indexed and removed here. */
export function PdfSetsPanel() {
  const workspace = useWorkspaceId();
  const query = useQuery(pdfSetsOptions(workspace));
  if (query.data) return <Sets {...query.data} />;
  if (query.isError) {
    return <RetryNotice query={query} title="Failed to load PDF sets" />;
  }
  return (
    <Loading label="Loading PDF sets…" className="flex flex-col gap-3">
      {[0, 1, 2].map((card) => (
        <div
          key={card}
          className="flex h-17 flex-col justify-center gap-2 rounded-lg border border-line bg-surface px-5"
        >
          <Skeleton className="h-4 w-44" />
          <Skeleton className="h-3 w-64 max-w-full" />
        </div>
      ))}
    </Loading>
  );
}

function Sets({ sets, storage }: OutputOf<typeof pdfSetEndpoints.listPdfSets>) {
  const workspace = useWorkspaceId();
  const mayWrite = useSelectedTeam()?.isWriter ?? true;
  const [params, setParams] = useSearchParams();
  const [isCreating, setIsCreating] = useState(false);
  const [removing, setRemoving] = useState<PdfSet>();
  const list = useUploads();
  const opened = params.get('set');
  const open = (setId: string | null) =>
    setParams(
      { tab: 'pdf-sets', ...(setId === null ? {} : { set: setId }) },
      { replace: true, preventScrollReset: true },
    );
  const create = (
    <Button look={sets.length === 0 ? 'action' : 'plain'} onClick={() => setIsCreating(true)}>
      <Plus aria-hidden className="size-4" />
      New PDF set
    </Button>
  );
  return (
    <section aria-labelledby="pdf-sets" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="pdf-sets" className="heading-part">
            PDF sets
          </h2>
          <p className="tabular text-faint text-sm">
            Manuals and papers as files, searchable like any other source. {formatBytes(storage.usedBytes)} of{' '}
            {formatBytes(storage.quotaBytes)} used.
          </p>
        </div>
        {mayWrite && !isCreating && sets.length > 0 && create}
      </div>
      {isCreating && (
        <NewSetForm
          onCancel={() => setIsCreating(false)}
          onCreated={(set, files) => {
            setIsCreating(false);
            open(set.setId);
            uploads.add(
              set.setId,
              workspace,
              files.map((file) => ({ file })),
            );
          }}
        />
      )}
      {sets.length === 0 && !isCreating && (
        <EmptyState
          icon={<FileText aria-hidden className="size-5" />}
          title="No PDF sets yet"
          action={mayWrite && create}
        >
          {mayWrite
            ? 'Upload PDF files to a set. Agents can search their text page by page, with headings and tables.'
            : "Files that the team's admins and writers upload appear here."}
        </EmptyState>
      )}
      {sets.length > 0 && (
        <ul className="flex flex-col gap-3">
          {sets.map((set) => (
            <SetCard
              key={set.setId}
              set={set}
              list={list.filter(({ setId }) => setId === set.setId)}
              isOpen={opened === set.setId}
              onToggle={() => open(opened === set.setId ? null : set.setId)}
              onRemove={() => setRemoving(set)}
            />
          ))}
        </ul>
      )}
      <RemoveSetDialog set={removing} onClose={() => setRemoving(undefined)} />
    </section>
  );
}

/** Open while there is a set to ask about. */
function RemoveSetDialog({ set, onClose }: { set: PdfSet | undefined; onClose: () => void }) {
  const remove = useRemovePdfSet();
  const toast = useToast();
  // Kept while the dialog fades, when there is nothing to ask about any more.
  const [shown, setShown] = useState(set);
  if (set && set !== shown) setShown(set);
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={set !== undefined}
      onClose={close}
      title={`Remove ${shown?.displayName ?? ''}`}
      actionLabel="Remove PDF set"
      isBusy={remove.isPending}
      error={remove.error ? sentenceForPeople(remove.error) : undefined}
      onConfirm={() =>
        set &&
        remove.mutate(set.setId, {
          onSuccess: () => {
            for (const { id, setId } of uploads.list()) if (setId === set.setId) void uploads.remove(id);
            close();
            toast({ message: `${set.displayName} is removed` });
          },
        })
      }
    >
      {shown && (
        <p>
          This deletes {countOf(shown.totalFiles, 'file')} ({formatBytes(shown.totalSizeBytes)}) for good, and agents no
          longer find anything in them. Keep copies of what you still need.
        </p>
      )}
    </ConfirmDialog>
  );
}
