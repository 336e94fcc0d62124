import { Ban, Ellipsis, ExternalLink, FileText, Pencil, RefreshCw, Search, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLink, MenuNote, MenuSeparator } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { isRunning } from './job-state.ts';
import type { ListedSource } from './listed-sources.ts';
import { searchPath } from './source-path.ts';
import type { SourceRights } from './source-rights.ts';

export interface SourceActions extends SourceRights {
  /** Its run is being started or cancelled. */
  isBusy: (source: ListedSource) => boolean;
  onRefresh: (source: ListedSource) => void;
  /** Reads only the pages that its last run failed to read. */
  onRetryFailed: (source: ListedSource) => void;
  onCancel: (source: ListedSource) => void;
  onRename: (source: ListedSource) => void;
  onRemove: (source: ListedSource) => void;
}

/** Sets of files are changed where their files are. */
const pdfSetsPath = '/resources?tab=pdf-sets';

export function SourceRowActions({ source, ...actions }: { source: ListedSource } & SourceActions) {
  const { displayName, moduleId, module } = source;
  return (
    <div className="flex justify-end gap-0.5">
      {module && (
        <Tooltip content={`Search in ${displayName}`}>
          <Link
            to={searchPath(moduleId)}
            aria-label={`Search in ${displayName}`}
            className={buttonClasses('quiet', 'icon-sm')}
          >
            <Search aria-hidden className="size-4" />
          </Link>
        </Tooltip>
      )}
      <SourceMenu source={source} {...actions} />
    </div>
  );
}

export function SourceMenu({ source, ...actions }: { source: ListedSource } & SourceActions) {
  const { displayName, kind, url, lastRun, visibility } = source;
  const mayChange = actions.mayChange(source);
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon-sm" aria-label={`More for ${displayName}`} isBusy={actions.isBusy(source)}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      {mayChange && lastRun && isRunning(lastRun) && (
        <MenuItem icon={<Ban aria-hidden className="size-4" />} onSelect={() => actions.onCancel(source)}>
          Cancel
        </MenuItem>
      )}
      {actions.mayRefresh(source) && kind !== 'pdf' && !(lastRun && isRunning(lastRun)) && (
        <MenuItem icon={<RefreshCw aria-hidden className="size-4" />} onSelect={() => actions.onRefresh(source)}>
          {source.module ? 'Refresh' : 'Try again'}
        </MenuItem>
      )}
      {mayChange && url !== '' && (
        <MenuItem icon={<Pencil aria-hidden className="size-4" />} onSelect={() => actions.onRename(source)}>
          Rename…
        </MenuItem>
      )}
      {url.startsWith('http') && (
        <MenuLink
          icon={<ExternalLink aria-hidden className="size-4" />}
          // The menu puts the words into the link.
          render={<a href={url} target="_blank" rel="noreferrer" />}
        >
          Open the original
        </MenuLink>
      )}
      {kind === 'pdf' && (
        <MenuLink icon={<FileText aria-hidden className="size-4" />} render={<Link to={pdfSetsPath} />}>
          Show its files
        </MenuLink>
      )}
      {mayChange && kind === 'folder' && !actions.mayRefresh(source) && (
        <MenuNote>Only the operator can refresh folders on the server.</MenuNote>
      )}
      {!mayChange && (
        <MenuNote>
          {visibility === 'public' ? 'Only the operator can change public sources.' : "Readers can't change sources."}
        </MenuNote>
      )}
      {mayChange && kind !== 'pdf' && (
        <>
          <MenuSeparator />
          <MenuItem
            icon={<Trash2 aria-hidden className="size-4" />}
            isDangerous
            onSelect={() => actions.onRemove(source)}
          >
            Remove…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
