import { useQuery } from '@tanstack/react-query';
import { FileText, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { OutputOf } from '#contract/endpoint.ts';
import { type PdfSet, pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { pdfSetsOptions } from '../../lib/pdf-set-queries.ts';
import { useMayWrite } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { countOf, formatBytes } from '../../ui/quantities.ts';
import { CardsLoading } from '../../ui/skeleton.tsx';
import { NewSetForm } from './new-set-form.tsx';
import { SetCard } from './set-card.tsx';
import { uploads, useUploads } from './uploads.ts';

/** Creates, fills, indexes and removes sets of uploaded PDF files. */
export function PdfSetsPanel() {
  const workspace = useWorkspaceId();
  const query = useQuery(pdfSetsOptions(workspace));
  if (query.data) return <Sets {...query.data} />;
  if (query.isError) {
    return <RetryNotice query={query} title="Failed to load PDF sets" />;
  }
  return <CardsLoading label="Loading PDF sets…" cards={3} />;
}

function Sets({ sets, storage }: OutputOf<typeof pdfSetEndpoints.listPdfSets>) {
  const workspace = useWorkspaceId();
  const mayWrite = useMayWrite();
  const [params, setParams] = useSearchParams();
  const [isCreating, setIsCreating] = useState(false);
  const removing = useConfirm(
    {
      title: ({ displayName }: PdfSet) => `Remove ${displayName}?`,
      body: ({ totalFiles, totalSizeBytes }) =>
        `Permanently deletes ${countOf(totalFiles, 'file')} (${formatBytes(totalSizeBytes)}), and agents no longer find anything in them. Keep copies of the files you need.`,
      actionLabel: 'Remove PDF set',
      toast: ({ displayName }) => `${displayName} removed`,
      onDone: (set) => {
        for (const { id, setId } of uploads.list()) if (setId === set.setId) void uploads.remove(id);
      },
    },
    useAction(pdfSetEndpoints.removePdfSet, { invalidates: ['pdfSets'] }),
    ({ setId }) => ({ setId }),
  );
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
          <PartHeading id="pdf-sets">PDF sets</PartHeading>
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
              onRemove={() => removing.ask(set)}
            />
          ))}
        </ul>
      )}
      {removing.dialog}
    </section>
  );
}
