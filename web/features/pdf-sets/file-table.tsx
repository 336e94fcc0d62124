import { Trash2 } from 'lucide-react';
import type { PdfFile, PdfSet } from '#contract/pdf-sets.ts';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { formatBytes, formatCount } from '../../ui/quantities.ts';
import { actionsColumn, type Column, Table } from '../../ui/table.tsx';
import { useRemovePdfFile } from './queries.ts';

const badges: Record<PdfFile['status'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'quiet' },
  indexed: { label: 'Indexed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** A set's files; unreadable ones show the reason. */
export function FileTable({ set }: { set: PdfSet }) {
  const removing = useConfirm(
    {
      title: ({ name }: PdfFile) => `Remove ${name}?`,
      body: () => 'Deletes the file. Agents can find it until the set is indexed again.',
      actionLabel: 'Remove file',
      toast: ({ name }) => `${name} removed`,
    },
    useRemovePdfFile(),
    ({ fileId }) => ({ setId: set.setId, fileId }),
  );
  return (
    <>
      <Table
        caption={`Files of ${set.displayName}`}
        columns={columnsFor(set, removing.ask)}
        rows={set.pdfFiles}
        rowKey={({ fileId }) => fileId}
        sorting={{ columnId: 'name', direction: 'ascending' }}
      />
      {removing.dialog}
    </>
  );
}

function columnsFor(set: PdfSet, onRemove: (file: PdfFile) => void): Column<PdfFile>[] {
  const columns: Column<PdfFile>[] = [
    {
      id: 'name',
      label: 'File',
      sortBy: ({ name }) => name,
      cell: ({ name, title, lastError, status }) => (
        <div className="min-w-0">
          <div className="wrap-anywhere text-ink">{name}</div>
          {title !== null && title !== name.replace(/\.pdf$/i, '') && (
            <div className="wrap-anywhere text-faint text-xs">{title}</div>
          )}
          {lastError !== null && (
            <div className={`wrap-anywhere text-xs ${status === 'failed' ? 'text-danger' : 'text-warn'}`}>
              {lastError}
            </div>
          )}
        </div>
      ),
    },
    {
      id: 'status',
      label: 'State',
      sortBy: ({ status }) => status,
      cell: ({ status }) => <Badge tone={badges[status].tone}>{badges[status].label}</Badge>,
    },
    {
      id: 'pages',
      label: 'Pages',
      isNumeric: true,
      isWide: true,
      sortBy: ({ pageCount }) => pageCount ?? -1,
      cell: ({ pageCount, indexedPages }) =>
        pageCount === null
          ? '–'
          : indexedPages < pageCount && indexedPages > 0
            ? `${formatCount(indexedPages)} of ${formatCount(pageCount)}`
            : formatCount(pageCount),
    },
    {
      id: 'size',
      label: 'Size',
      isNumeric: true,
      isWide: true,
      sortBy: ({ sizeBytes }) => sizeBytes,
      cell: ({ sizeBytes }) => formatBytes(sizeBytes),
    },
    {
      id: 'language',
      label: 'Language',
      isWide: true,
      sortBy: ({ language }) => language ?? '',
      cell: ({ language }) => language ?? '–',
    },
  ];
  if (!set.pdfFiles.some(({ canRemove }) => canRemove)) return columns;
  return [
    ...columns,
    actionsColumn(
      (file) =>
        file.canRemove && <IconButton icon={Trash2} label={`Remove ${file.name}`} onClick={() => onRemove(file)} />,
    ),
  ];
}
