import { useQuery } from '@tanstack/react-query';
import { Ellipsis, FolderGit2, PackageSearch, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type Profile, profileEndpoints } from '#contract/profile.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { useMayWrite } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { OpeningCard } from '../../ui/opening-card.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { CardsLoading } from '../../ui/skeleton.tsx';
import { ProjectForm } from './project-form.tsx';
import { ProjectLibraries } from './project-libraries.tsx';
import { profilesOptions } from './queries.ts';

/** Projects by their lockfiles: pinned libraries, which of them are indexed, and which are missing. */
export function ProjectsPanel() {
  const profiles = useQuery(profilesOptions(useWorkspaceId()));
  if (profiles.data) return <Projects profiles={profiles.data} />;
  if (profiles.isError) {
    return <RetryNotice query={profiles} title="Couldn't load the projects" />;
  }
  return <CardsLoading label="Loading projects…" cards={2} />;
}

function Projects({ profiles }: { profiles: Profile[] }) {
  const mayWrite = useMayWrite();
  const [params, setParams] = useSearchParams();
  /** Name of the project being updated; empty for a new one. */
  const [adding, setAdding] = useState<string>();
  const removing = useConfirm(
    {
      title: ({ name }: Profile) => `Remove ${name}?`,
      body: ({ libraryCount }) =>
        `The versions of its ${countOf(libraryCount, 'library', 'libraries')} are no longer preferred. Indexed documentation is kept.`,
      actionLabel: 'Remove project',
      toast: ({ name }) => `${name} removed`,
    },
    useAction(profileEndpoints.removeProfile, { invalidates: ['profiles'] }),
    ({ profileId }) => ({ profileId }),
  );
  const opened = params.get('project');
  const open = (profileId: string | null) =>
    setParams(
      { tab: 'projects', ...(profileId === null ? {} : { project: profileId }) },
      { replace: true, preventScrollReset: true },
    );
  const isEmpty = profiles.length === 0;
  return (
    <section aria-labelledby="projects" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <PartHeading id="projects">Projects</PartHeading>
          <p className="text-pretty text-faint text-sm">
            Agents get answers for the versions in your projects' lockfiles.
          </p>
        </div>
        {mayWrite && adding === undefined && !isEmpty && (
          <Button onClick={() => setAdding('')}>
            <Plus aria-hidden className="size-4" />
            Add a project
          </Button>
        )}
      </div>
      {adding !== undefined && (
        <ProjectForm
          key={adding}
          name={adding}
          onCancel={() => setAdding(undefined)}
          onDone={(profile) => {
            setAdding(undefined);
            open(profile.profileId);
          }}
        />
      )}
      {isEmpty && adding === undefined && (
        <EmptyState
          icon={<PackageSearch aria-hidden className="size-5" />}
          title="No projects yet"
          action={
            mayWrite && (
              <Button look="action" onClick={() => setAdding('')}>
                Add a project
              </Button>
            )
          }
        >
          {mayWrite
            ? "Add a project's lockfiles, such as package-lock.json or uv.lock. Searches then use its library versions, and you see which libraries have no documentation."
            : "Projects that the team's admins and writers add appear here."}
        </EmptyState>
      )}
      {profiles.length > 0 && (
        <ul className="flex flex-col gap-3">
          {profiles.map((profile) => (
            <ProjectCard
              key={profile.profileId}
              profile={profile}
              mayWrite={mayWrite}
              isOpen={opened === profile.profileId}
              onToggle={() => open(opened === profile.profileId ? null : profile.profileId)}
              onUpdate={() => setAdding(profile.name)}
              onRemove={() => removing.ask(profile)}
            />
          ))}
        </ul>
      )}
      {removing.dialog}
    </section>
  );
}

interface ProjectCardProps {
  profile: Profile;
  mayWrite: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onUpdate: () => void;
  onRemove: () => void;
}

function ProjectCard({ profile, mayWrite, isOpen, onToggle, onUpdate, onRemove }: ProjectCardProps) {
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
          <Menu trigger={<IconButton icon={Ellipsis} label={`More for ${profile.name}`} />}>
            <MenuItem icon={RefreshCw} onSelect={onUpdate} label="Update lockfiles" />
            <MenuSeparator />
            <MenuItem icon={Trash2} isDangerous onSelect={onRemove} label="Remove…" />
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
