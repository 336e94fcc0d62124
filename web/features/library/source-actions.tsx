import { Ban, Ellipsis, ExternalLink, FileText, Pencil, RefreshCw, Search, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { buttonClasses } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuLink, MenuNote, MenuSeparator } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { isRunning } from './job-state.ts';
import type { ListedSource } from './listed-sources.ts';
import { searchPath } from './source-path.ts';
import type { SourceRights } from './source-rights.ts';

export interface SourceActions extends SourceRights {
  /** True while its run is being started or cancelled. */
  isBusy: (source: ListedSource) => boolean;
  onRefresh: (source: ListedSource) => void;
  /** Reloads only the pages that its last run failed to read. */
  onRetryFailed: (source: ListedSource) => void;
  onCancel: (source: ListedSource) => void;
  onRename: (source: ListedSource) => void;
  onRemove: (source: ListedSource) => void;
}

/** PDF sets are changed on their own tab. */
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
    <Menu trigger={<IconButton icon={Ellipsis} label={`More for ${displayName}`} isBusy={actions.isBusy(source)} />}>
      {mayChange && lastRun && isRunning(lastRun) && (
        <MenuItem icon={Ban} onSelect={() => actions.onCancel(source)} label="Cancel" />
      )}
      {actions.mayRefresh(source) && kind !== 'pdf' && !(lastRun && isRunning(lastRun)) && (
        <MenuItem
          icon={RefreshCw}
          onSelect={() => actions.onRefresh(source)}
          label={source.module ? 'Refresh' : 'Try again'}
        />
      )}
      {mayChange && url !== '' && <MenuItem icon={Pencil} onSelect={() => actions.onRename(source)} label="Rename…" />}
      {url.startsWith('http') && (
        <MenuLink
          icon={<ExternalLink aria-hidden className="size-4" />}
          // The menu puts its text into the link.
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
          <MenuItem icon={Trash2} isDangerous onSelect={() => actions.onRemove(source)} label="Remove…" />
        </>
      )}
    </Menu>
  );
}
