import { formatCompact, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { actionsColumn, type Column, type Sorting, Table } from '../../ui/table.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { type ListedSource, sourceKey } from './listed-sources.ts';
import { type SourceActions, SourceRowActions } from './source-actions.tsx';
import { stateOrder } from './source-filters.ts';
import { SourceName, SourceStateBadge } from './source-name.tsx';

interface SourceTableProps extends SourceActions {
  sources: ListedSource[];
  sorting: Sorting | undefined;
  onSortingChange: (sorting: Sorting | undefined) => void;
}

export function SourceTable({ sources, sorting, onSortingChange, ...actions }: SourceTableProps) {
  return (
    <Table
      caption="Your sources"
      columns={columnsFor(actions)}
      rows={sources}
      rowKey={sourceKey}
      sorting={sorting}
      onSortingChange={onSortingChange}
    />
  );
}

const nothing = <span className="text-faint">–</span>;

function columnsFor(actions: SourceActions): Column<ListedSource>[] {
  return [
    {
      id: 'name',
      label: 'Source',
      sortBy: ({ displayName }) => displayName,
      cell: (source) => <SourceName source={source} />,
    },
    {
      id: 'state',
      label: 'State',
      isWide: true,
      sortBy: ({ state }) => stateOrder[state],
      cell: (source) => <SourceStateBadge source={source} />,
    },
    {
      id: 'pages',
      label: 'Pages',
      isNumeric: true,
      isWide: true,
      sortBy: ({ module }) => module?.pageCount ?? -1,
      cell: ({ module }) => (module ? formatCount(module.pageCount) : nothing),
    },
    {
      id: 'snippets',
      label: 'Passages',
      isNumeric: true,
      isWide: true,
      sortBy: ({ module }) => module?.snippetCount ?? -1,
      cell: ({ module }) => (module ? formatCount(module.snippetCount) : nothing),
    },
    {
      id: 'tokens',
      label: 'Tokens',
      isNumeric: true,
      isWide: true,
      sortBy: ({ module }) => module?.tokenCount ?? -1,
      cell: ({ module }) => (module ? <Tokens count={module.tokenCount} /> : nothing),
    },
    {
      id: 'updated',
      label: 'Updated',
      isWide: true,
      sortBy: ({ module }) => module?.lastUpdated ?? 0,
      cell: ({ module }) => (
        <span className="text-soft">
          {typeof module?.lastUpdated === 'number' ? <RelativeTime at={module.lastUpdated} /> : 'Never'}
        </span>
      ),
    },
    actionsColumn((source) => <SourceRowActions source={source} {...actions} />),
  ];
}

function Tokens({ count }: { count: number }) {
  return (
    <Tooltip content={`${formatCount(count)} tokens`}>
      <span tabIndex={0} className="rounded-xs">
        {formatCompact(count)}
      </span>
    </Tooltip>
  );
}
