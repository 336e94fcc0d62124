import { Ellipsis, FolderGit2, RefreshCw, Trash2 } from 'lucide-react';
import type { Profile } from '#contract/profile.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { OpeningCard } from '../../ui/opening-card.tsx';
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
  const missing = profile.directCount - profile.indexedCount;
  return (
    <OpeningCard
      isOpen={isOpen}
      onToggle={onToggle}
      icon={<FolderGit2 className="size-4" />}
      name={profile.name}
      badges={
        missing > 0 ? <Badge tone="warn">{formatCount(missing)} missing</Badge> : <Badge tone="good">All indexed</Badge>
      }
      facts={
        <>
          {countOf(profile.libraryCount, 'library', 'libraries')} · {formatCount(profile.indexedCount)} of{' '}
          {formatCount(profile.directCount)} direct indexed · updated <RelativeTime at={profile.updatedAt} isQuiet />
        </>
      }
      actions={
        mayWrite && (
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
        )
      }
    >
      <Lockfiles profile={profile} />
      <ProjectLibraries profile={profile} mayWrite={mayWrite} />
    </OpeningCard>
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
