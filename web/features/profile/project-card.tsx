import { ChevronRight, Ellipsis, FolderGit2, RefreshCw, Trash2 } from 'lucide-react';
import { useId } from 'react';
import type { Profile } from '#contract/profile.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ProjectLibraries } from './project-libraries.tsx';

interface ProjectCardProps {
  profile: Profile;
  mayWrite: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onUpdate: () => void;
  onRemove: () => void;
}

export function ProjectCard({ profile, mayWrite, isOpen, onToggle, onUpdate, onRemove }: ProjectCardProps) {
  const id = useId();
  const missing = profile.directCount - profile.indexedCount;
  return (
    <li className="rounded-lg border border-line bg-surface shadow-sm">
      <div className="flex items-start gap-2 px-3 py-3 sm:px-4">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
          className="-m-1 flex min-w-0 flex-1 items-start gap-2.5 rounded-sm p-1 text-left"
        >
          <ChevronRight
            aria-hidden
            className={classNames('mt-1 size-3.5 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
          />
          <FolderGit2 aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <span className="wrap-anywhere font-medium text-ink">{profile.name}</span>
              {missing > 0 ? (
                <Badge tone="warn">{formatCount(missing)} missing</Badge>
              ) : (
                <Badge tone="good">All indexed</Badge>
              )}
            </span>
            <span className="tabular mt-0.5 block text-faint text-sm">
              {countOf(profile.libraryCount, 'library', 'libraries')} · {formatCount(profile.indexedCount)} of{' '}
              {formatCount(profile.directCount)} direct indexed · updated{' '}
              <RelativeTime at={profile.updatedAt} isQuiet />
            </span>
          </span>
        </button>
        {mayWrite && (
          <Menu
            trigger={
              <Button look="quiet" size="icon-sm" aria-label={`More for ${profile.name}`}>
                <Ellipsis aria-hidden className="size-4" />
              </Button>
            }
          >
            <MenuItem icon={<RefreshCw aria-hidden className="size-4" />} onSelect={onUpdate}>
              Update lockfiles
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<Trash2 aria-hidden className="size-4" />} isDangerous onSelect={onRemove}>
              Remove…
            </MenuItem>
          </Menu>
        )}
      </div>
      {isOpen && (
        <div id={id} className="flex flex-col gap-4 border-line border-t p-4">
          <Lockfiles profile={profile} />
          <ProjectLibraries profile={profile} mayWrite={mayWrite} />
        </div>
      )}
    </li>
  );
}

function Lockfiles({ profile }: { profile: Profile }) {
  return (
    <ul aria-label={`Lockfiles of ${profile.name}`} className="flex flex-col gap-1 text-sm">
      {profile.lockfiles.map(({ path, libraries, problems, problemCount }) => (
        <li key={path} className="flex flex-col gap-0.5">
          <span className="flex flex-wrap gap-x-2">
            <span className="wrap-anywhere font-mono text-ink">{path}</span>
            <span className="tabular text-faint">{countOf(libraries, 'library', 'libraries')}</span>
          </span>
          {problemCount > 0 && (
            <details className="text-soft">
              <summary className="min-h-6 cursor-default">{countOf(problemCount, 'entry', 'entries')} left out</summary>
              <ul className="wrap-anywhere pl-4 text-faint">
                {[...new Set(problems)].map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
                {problemCount > problems.length && <li>and {formatCount(problemCount - problems.length)} more</li>}
              </ul>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
