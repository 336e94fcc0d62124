import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { sentenceOf } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import type { InviteOutcome } from '#contract/teams.ts';
import { InviteFields } from '../features/teams/invite-fields.tsx';
import { faultsOf, type InviteLine, peopleIn } from '../features/teams/invite-list.ts';
import { hasRefused, InviteOutcomes, invitesSent } from '../features/teams/invite-outcomes.tsx';
import { useCreateTeam } from '../features/teams/queries.ts';
import { sentenceForPeople } from '../lib/api-error.ts';
import { modulesOptions } from '../lib/library-queries.ts';
import { titledPage } from '../lib/page-title.tsx';
import { individualWorkspace } from '../lib/workspace.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { countOf } from '../ui/quantities.ts';
import { SettingsRow, SettingsSection } from '../ui/settings.tsx';
import { useToast } from '../ui/toast.tsx';

/** Creates a team; reports addresses that could not be invited before it continues. */
function CreateTeamScreen() {
  const [outcomes, setOutcomes] = useState<InviteOutcome[]>();
  return (
    <div className="page flex flex-col gap-9 py-10">
      <div>
        <h1 className="heading-page">{outcomes === undefined ? 'Create team' : 'Your team is ready'}</h1>
        <p className="mt-1 max-w-prose text-soft">
          A team has its own documentation, keys and credits. You are its first admin.
        </p>
      </div>
      {outcomes === undefined ? (
        <CreateTeamForm onRefused={setOutcomes} />
      ) : (
        <>
          <div className="max-w-3xl">
            <InviteOutcomes outcomes={outcomes} />
          </div>
          <Link to="/team" className={`${buttonClasses('action')} self-start`}>
            Go to the team
          </Link>
        </>
      )}
    </div>
  );
}

export default titledPage('Create team', CreateTeamScreen);

function CreateTeamForm({ onRefused }: { onRefused: (outcomes: InviteOutcome[]) => void }) {
  const [name, setName] = useState('');
  const [isNameMissing, setIsNameMissing] = useState(false);
  const [lines, setLines] = useState<InviteLine[]>([{ id: 1, email: '', role: 'writer' }]);
  const [faults, setFaults] = useState(new Map<number, string>());
  const [shouldMigrateIndex, setShouldMigrateIndex] = useState(false);
  const nameRef = useRef<HTMLInputElement>(null);
  const focusLine = useRef<(id: number) => void>(null);
  const create = useCreateTeam();
  const navigate = useNavigate();
  const toast = useToast();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const wrong = faultsOf(lines);
    setFaults(wrong);
    setIsNameMissing(name.trim() === '');
    if (name.trim() === '') return nameRef.current?.focus();
    const [firstWrong] = wrong.keys();
    if (firstWrong !== undefined) return focusLine.current?.(firstWrong);
    create.mutateAsync({ teamName: name.trim(), teamMembers: peopleIn(lines), shouldMigrateIndex }).then(
      ({ invites }) => {
        if (hasRefused(invites)) return onRefused(invites);
        toast({ message: invites.length === 0 ? 'Team created' : `Team created, ${invitesSent(invites)}` });
        void navigate('/team');
      },
      // The error is shown above the button.
      () => undefined,
    );
  };

  return (
    <form onSubmit={submit} noValidate aria-label="New team" className="flex flex-col">
      <SettingsSection id="name" title="Name" about="Shown in the members' workspace menu.">
        <SettingsRow>
          <TextField
            ref={nameRef}
            label="Team name"
            autoFocus
            autoComplete="organization"
            maxLength={limits.teamNameCharactersMax}
            value={name}
            onValueChange={(value) => {
              setName(value);
              setIsNameMissing(false);
            }}
            error={isNameMissing ? sentenceOf('team-name-empty') : undefined}
            className="max-w-md"
          />
        </SettingsRow>
      </SettingsSection>
      <SettingsSection
        id="people"
        title="Members"
        about={`Each gets a link that works for ${limits.inviteLifetimeDays} days. You can also do this later.`}
      >
        <SettingsRow>
          <InviteFields
            lines={lines}
            onChange={(next) => {
              setLines(next);
              setFaults(new Map());
            }}
            faults={faults}
            focusRef={focusLine}
          />
        </SettingsRow>
      </SettingsSection>
      <IndexChoice isChecked={shouldMigrateIndex} onChange={setShouldMigrateIndex} />
      <div className="flex flex-col gap-4 border-line border-t pt-6">
        {create.error && <Notice tone="bad">{sentenceForPeople(create.error)}</Notice>}
        <div className="flex justify-end gap-2">
          <ButtonLink to="/dashboard">Cancel</ButtonLink>
          <Button type="submit" look="action" isBusy={create.isPending}>
            Create team
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Asks whether the user's private sources should move to the team; hidden for users without any. */
function IndexChoice({ isChecked, onChange }: { isChecked: boolean; onChange: (isChecked: boolean) => void }) {
  const modules = useQuery(modulesOptions(individualWorkspace)).data;
  const count = modules?.filter(({ visibility }) => visibility === 'private').length ?? 0;
  if (count === 0) return null;
  return (
    <SettingsSection id="index" title="Private index" about="Your private sources.">
      <SettingsRow>
        <Checkbox
          label="Move my private index into the team"
          hint={`${countOf(count, 'private source')} will move to the team. Its members can then search them; your own workspace can't.`}
          isChecked={isChecked}
          onChange={onChange}
        />
      </SettingsRow>
    </SettingsSection>
  );
}
