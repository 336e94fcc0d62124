import { useState } from 'react';
import type { ApiKey } from '#contract/keys.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type Column, type Sorting, Table } from '../../ui/table.tsx';
import { KeyCell } from './key-cell.tsx';

interface KeyListProps {
  keys: ApiKey[];
  onRevoke: (key: ApiKey) => void;
}

export function KeyList({ keys, onRevoke }: KeyListProps) {
  const [sorting, setSorting] = useState<Sorting>();
  return (
    <Table
      caption="Your API keys"
      columns={columnsFor(onRevoke)}
      rows={keys}
      rowKey={({ id }) => id}
      sorting={sorting}
      onSortingChange={setSorting}
    />
  );
}

function columnsFor(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      sortBy: ({ name }) => name,
      cell: (key) => (
        <div className="flex min-w-0 flex-col gap-0.5">
          <span
            className={classNames('wrap-anywhere font-medium', key.isActive ? 'text-ink' : 'text-faint line-through')}
          >
            {key.name}
          </span>
          <div className="md:hidden">
            <KeyCell apiKey={key} />
          </div>
        </div>
      ),
    },
    {
      id: 'key',
      label: 'Key',
      isWide: true,
      cell: (key) => <KeyCell apiKey={key} />,
    },
    {
      id: 'created',
      label: 'Created',
      isWide: true,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => (
        <span className="text-soft">
          <RelativeTime at={createdAt} />
        </span>
      ),
    },
    {
      id: 'used',
      label: 'Last used',
      isWide: true,
      sortBy: ({ lastUsed }) => lastUsed ?? 0,
      cell: ({ lastUsed }) =>
        lastUsed === null ? (
          <span className="text-faint">Never</span>
        ) : (
          <span className="text-soft">
            <RelativeTime at={lastUsed} />
          </span>
        ),
    },
    {
      id: 'actions',
      label: 'Actions',
      isLabelHidden: true,
      isNumeric: true,
      cell: (key) =>
        key.isActive ? (
          <Button look="quiet" size="sm" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        ) : (
          <Badge>Revoked</Badge>
        ),
    },
  ];
}
