import { Ellipsis, ExternalLink, Lock, RefreshCw, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { LibraryModule } from '#contract/library.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLink, MenuNote, MenuSeparator } from '../../ui/menu.tsx';
import { countOf, formatBytes, formatCompact, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type Column, type Sorting, Table } from '../../ui/table.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

interface ModuleActions {
  /** Readers of a team search only. */
  mayWrite: boolean;
  onRefresh: (module: LibraryModule) => void;
  onRemove: (module: LibraryModule) => void;
}

export function ModuleTable({ modules, ...actions }: { modules: LibraryModule[] } & ModuleActions) {
  const [sorting, setSorting] = useState<Sorting | undefined>({ columnId: 'name', direction: 'ascending' });
  return (
    <Table
      caption="Modules you can search"
      columns={columnsFor(actions)}
      rows={modules}
      rowKey={({ moduleId, visibility }) => `${visibility} ${moduleId}`}
      sorting={sorting}
      onSortingChange={setSorting}
    />
  );
}

function columnsFor(actions: ModuleActions): Column<LibraryModule>[] {
  return [
    {
      id: 'name',
      label: 'Module',
      sortBy: ({ displayName }) => displayName,
      cell: (module) => <ModuleName module={module} />,
    },
    {
      id: 'pages',
      label: 'Pages',
      isNumeric: true,
      isWide: true,
      sortBy: ({ pageCount }) => pageCount,
      cell: ({ pageCount }) => formatCount(pageCount),
    },
    {
      id: 'snippets',
      label: 'Snippets',
      isNumeric: true,
      isWide: true,
      sortBy: ({ snippetCount }) => snippetCount,
      cell: ({ snippetCount }) => formatCount(snippetCount),
    },
    {
      id: 'tokens',
      label: 'Tokens',
      isNumeric: true,
      isWide: true,
      sortBy: ({ tokenCount }) => tokenCount,
      cell: ({ tokenCount }) => (
        <Tooltip content={`${formatCount(tokenCount)} tokens`}>
          <span tabIndex={0} className="rounded-xs">
            {formatCompact(tokenCount)}
          </span>
        </Tooltip>
      ),
    },
    {
      id: 'size',
      label: 'Size',
      isNumeric: true,
      isWide: true,
      sortBy: ({ byteCount }) => byteCount,
      cell: ({ byteCount }) => formatBytes(byteCount),
    },
    {
      id: 'updated',
      label: 'Updated',
      isWide: true,
      sortBy: ({ lastUpdated }) => lastUpdated ?? 0,
      cell: ({ lastUpdated }) => (
        <span className="text-soft">{lastUpdated === null ? 'Never' : <RelativeTime at={lastUpdated} />}</span>
      ),
    },
    {
      id: 'actions',
      label: 'Actions',
      isLabelHidden: true,
      isNumeric: true,
      cell: (module) => <ModuleRowActions module={module} {...actions} />,
    },
  ];
}

function ModuleName({ module }: { module: LibraryModule }) {
  const { moduleId, displayName, visibility, pageCount, lastUpdated } = module;
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="wrap-anywhere font-medium text-ink">{displayName}</span>
        {visibility === 'private' && <Badge icon={<Lock aria-hidden className="size-3" />}>Private</Badge>}
      </div>
      {moduleId !== displayName && <div className="wrap-anywhere font-mono text-faint text-xs">{moduleId}</div>}
      <div className="tabular mt-0.5 text-faint text-xs md:hidden">
        {countOf(pageCount, 'page')}
        {lastUpdated !== null && (
          <>
            {' · '}
            <RelativeTime at={lastUpdated} />
          </>
        )}
      </div>
    </div>
  );
}

function ModuleRowActions({ module, mayWrite, onRefresh, onRemove }: { module: LibraryModule } & ModuleActions) {
  const searchPath = `/search?${new URLSearchParams({ module: module.moduleId })}`;
  return (
    <div className="flex justify-end gap-0.5">
      <Tooltip content={`Search in ${module.displayName}`}>
        <Link
          to={searchPath}
          aria-label={`Search in ${module.displayName}`}
          className={buttonClasses('quiet', 'icon-sm')}
        >
          <Search aria-hidden className="size-4" />
        </Link>
      </Tooltip>
      <Menu
        trigger={
          <Button look="quiet" size="icon-sm" aria-label={`More for ${module.displayName}`}>
            <Ellipsis aria-hidden className="size-4" />
          </Button>
        }
      >
        {mayWrite && (
          <MenuItem icon={<RefreshCw aria-hidden className="size-4" />} onSelect={() => onRefresh(module)}>
            Refresh
          </MenuItem>
        )}
        {module.url.startsWith('http') && (
          <MenuLink
            icon={<ExternalLink aria-hidden className="size-4" />}
            // The menu puts the words into the link.
            render={<a href={module.url} target="_blank" rel="noreferrer" />}
          >
            Open the original
          </MenuLink>
        )}
        {mayWrite ? (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash2 aria-hidden className="size-4" />} isDangerous onSelect={() => onRemove(module)}>
              Remove…
            </MenuItem>
          </>
        ) : (
          <MenuNote>Readers do not change modules.</MenuNote>
        )}
      </Menu>
    </div>
  );
}
