import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { sentenceOf } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import type { Team } from '#contract/teams.ts';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { type SelectedTeam, teamMembersOptions } from '../../lib/team-queries.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AskAnAdmin } from './ask-an-admin.tsx';
import { useDeleteTeam, useUpdateTeam } from './queries.ts';
import { isOnlyAdmin, roleTexts } from './roles.ts';
import { useLeaving } from './use-leaving.tsx';

/** The team's name and settings, and the actions to leave or delete it. */
export function SettingsTab({ team, isAdmin, role, membershipId, signOn }: SelectedTeam & { signOn: ReactNode }) {
  return (
    <div className="flex max-w-4xl flex-col">
      {isAdmin ? (
        <>
          <SettingsSection id="team-name" title="Name" about="Shown in the members' workspace menu.">
            <SettingsRow>
              <NameForm team={team} />
            </SettingsRow>
          </SettingsSection>
          <KeySettings team={team} />
          {signOn}
        </>
      ) : (
        <div className="pb-8">
          <AskAnAdmin teamId={team.teamId}>
            {`You are ${roleTexts[role].asOne} here. Only admins can change the team's settings.`}
          </AskAnAdmin>
        </div>
      )}
      <LeaveSection team={team} membershipId={membershipId} />
      {isAdmin && <DeleteSection team={team} />}
    </div>
  );
}

function NameForm({ team }: { team: Team }) {
  // Undefined until something is typed: another admin may rename the team while this form is open.
  const [typed, setTyped] = useState<string>();
  const name = typed ?? team.name;
  const [isMissing, setIsMissing] = useState(false);
  const update = useUpdateTeam(team.teamId);
  const inputRef = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (update.isPending || name.trim() === team.name) return;
    if (name.trim() === '') {
      setIsMissing(true);
      inputRef.current?.focus();
      return;
    }
    const renamed = () => {
      setTyped(undefined);
      toast({ message: 'Team renamed' });
    };
    update.mutate({ name: name.trim() }, { onSuccess: renamed });
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Team name" className="flex flex-wrap items-start gap-2">
      <TextField
        ref={inputRef}
        label="Team name"
        autoComplete="organization"
        maxLength={limits.teamNameCharactersMax}
        value={name}
        onValueChange={(value) => {
          setTyped(value);
          setIsMissing(false);
        }}
        error={isMissing ? sentenceOf('team-name-empty') : update.error ? sentenceForPeople(update.error) : undefined}
        className="flex-1 basis-56"
      />
      <Button type="submit" isBusy={update.isPending} className="sm:mt-6.5">
        Rename
      </Button>
    </form>
  );
}

function KeySettings({ team }: { team: Team }) {
  const update = useUpdateTeam(team.teamId);
  const tellFault = useFaultToast();
  return (
    <SettingsSection id="team-keys" title="API keys" about="Settings for the team's keys.">
      <SettingsRow>
        <Switch
          label="Show keys once"
          hint="Keys are shown only when they are created. Existing keys are hidden too."
          isOn={team.showsKeysOnce}
          isBusy={update.isPending}
          onChange={(showsKeysOnce) => update.mutate({ showsKeysOnce }, { onError: tellFault })}
        />
      </SettingsRow>
    </SettingsSection>
  );
}

function LeaveSection({ team, membershipId }: { team: Team; membershipId: string }) {
  const leaving = useLeaving(team.teamId);
  const isStuck = useIsOnlyAdmin(team.teamId, membershipId);
  return (
    <SettingsSection id="leave" title="Leave the team">
      <SettingsRow className="flex flex-wrap items-center justify-between gap-4">
        {isStuck ? (
          <p className="text-soft">You are the only admin. Make another member an admin before you leave.</p>
        ) : (
          <>
            <p className="min-w-0 flex-1 basis-64 text-soft">
              You lose access to its documentation, and your team keys are revoked.
            </p>
            <Button onClick={() => leaving.ask(membershipId)}>Leave the team…</Button>
          </>
        )}
      </SettingsRow>
      {leaving.dialog}
    </SettingsSection>
  );
}

function DeleteSection({ team }: { team: Team }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <SettingsSection id="delete" title="Delete the team" isDangerous>
      <SettingsRow className="flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0 flex-1 basis-64 text-soft">
          Permanently deletes the team, its keys and its private index for all members.
        </p>
        <Button look="danger" onClick={() => setIsAsking(true)}>
          Delete team…
        </Button>
      </SettingsRow>
      <DeleteTeamDialog team={team} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </SettingsSection>
  );
}

function useIsOnlyAdmin(teamId: string, membershipId: string): boolean {
  const members = useQuery(teamMembersOptions(teamId)).data ?? [];
  const member = members.find((known) => known.membershipId === membershipId);
  return member !== undefined && isOnlyAdmin(member, members);
}

interface DeleteTeamDialogProps {
  team: Team;
  isOpen: boolean;
  onClose: () => void;
}

/** Deletes a team after the user has typed its name. */
function DeleteTeamDialog({ team, isOpen, onClose }: DeleteTeamDialogProps) {
  const deletion = useDeleteTeam(team.teamId);
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const navigate = useNavigate();
  const toast = useToast();
  const close = () => {
    deletion.reset();
    setTyped('');
    setIsWrong(false);
    onClose();
  };
  const confirm = () => {
    if (typed.trim() !== team.name) return setIsWrong(true);
    deletion.mutateAsync().then(
      () => {
        toast({ message: `${team.name} deleted` });
        void navigate('/dashboard');
      },
      // The dialog shows the error.
      () => undefined,
    );
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={`Delete ${team.name}?`}
      actionLabel="Delete team"
      isBusy={deletion.isPending}
      error={deletion.error ? sentenceForPeople(deletion.error) : undefined}
      onConfirm={confirm}
    >
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        <li>All members lose access immediately, and the team's keys stop working.</li>
        <li>The team's private sources are deleted. Public sources are kept.</li>
        <li>Its subscription ends and its credits are lost.</li>
      </ul>
      <p className="text-sm">This cannot be undone.</p>
      <TextField
        label={`Type “${team.name}” to confirm`}
        autoComplete="off"
        value={typed}
        onValueChange={(value) => {
          setTyped(value);
          setIsWrong(false);
        }}
        error={isWrong ? "This is not the team's name." : undefined}
        className="mt-2"
      />
    </ConfirmDialog>
  );
}
