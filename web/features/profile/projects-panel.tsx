import { useQuery } from '@tanstack/react-query';
import { PackageSearch, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Profile } from '#contract/profile.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { useMayWrite } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/quantities.ts';
import { CardsLoading } from '../../ui/skeleton.tsx';
import { ProjectCard } from './project-card.tsx';
import { ProjectForm } from './project-form.tsx';
import { profilesOptions, useRemoveProfile } from './queries.ts';

/** Projects by their lockfiles: what is pinned, what of it is indexed, and what is missing. */
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
  /** The name of the project to be given again; empty for a new one. */
  const [adding, setAdding] = useState<string>();
  const removing = useConfirm(
    {
      title: ({ name }: Profile) => `Remove ${name}`,
      body: ({ libraryCount }) =>
        `The versions of its ${countOf(libraryCount, 'library', 'libraries')} are no longer preferred. Indexed documentation is kept.`,
      actionLabel: 'Remove project',
      toast: ({ name }) => `${name} removed`,
    },
    useRemoveProfile(),
    ({ profileId }) => profileId,
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
          <h2 id="projects" className="heading-part">
            Projects
          </h2>
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
