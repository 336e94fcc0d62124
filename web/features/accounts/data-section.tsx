import { type FormEvent, useRef, useState } from 'react';
import { accountDetailEndpoints } from '#contract/account-details.ts';
import type { SessionUser } from '#contract/accounts.ts';
import * as limits from '#contract/limits.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { useDeleteAccount } from './queries.ts';

/** Data export and account deletion. */
export function DataSection({ user }: { user: SessionUser }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <SettingsSection id="export" title="Your data">
        <SettingsRow className="flex flex-wrap items-center justify-between gap-4">
          <p className="min-w-0 flex-1 basis-64 text-soft">
            All your data: account, teams, keys without their secrets, sources, activity and chats.
          </p>
          <a href={accountDetailEndpoints.exportPersonalData.path} download className={buttonClasses()}>
            Download as JSON
          </a>
        </SettingsRow>
      </SettingsSection>
      <DeletionSection user={user} isAsking={isAsking} onAsk={setIsAsking} />
    </>
  );
}

function DeletionSection({ user, isAsking, onAsk }: DeletionSectionProps) {
  return (
    <SettingsSection id="data" title="Delete account" isDangerous={!user.isOperator}>
      <SettingsRow className="flex flex-wrap items-center justify-between gap-4">
        {user.isOperator ? (
          <p className="text-soft">This account runs the installation and cannot be deleted.</p>
        ) : (
          <>
            <p className="min-w-0 flex-1 basis-64 text-soft">
              Permanently deletes your account, API keys and private sources.
            </p>
            <Button look="danger" onClick={() => onAsk(true)}>
              Delete account…
            </Button>
          </>
        )}
      </SettingsRow>
      <DeleteDialog user={user} isOpen={isAsking} onClose={() => onAsk(false)} />
    </SettingsSection>
  );
}

interface DeletionSectionProps {
  user: SessionUser;
  isAsking: boolean;
  onAsk: (isAsking: boolean) => void;
}

interface DeleteDialogProps {
  user: SessionUser;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteDialog({ user, isOpen, onClose }: DeleteDialogProps) {
  const deletion = useDeleteAccount();
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const write = (typed: string) => {
    setPassword(typed);
    setFault(undefined);
  };
  const close = () => {
    deletion.reset();
    write('');
    onClose();
  };
  const confirm = () => {
    if (!user.hasPassword) return deletion.mutate(undefined);
    if (password !== '') return deletion.mutate(password);
    setFault('Enter your password.');
    field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={`Delete the account of ${user.email ?? user.displayName}?`}
      actionLabel="Delete account"
      isBusy={deletion.isPending}
      error={deletion.error ? sentenceForPeople(deletion.error) : undefined}
      onConfirm={confirm}
    >
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        <li>All browsers are signed out, and your API keys stop working immediately.</li>
        <li>Your private sources are deleted. Public sources are kept.</li>
        <li>Your remaining credits and your activity are lost.</li>
        <li>Your teams are kept. If you are a team's only admin, make another member an admin first.</li>
      </ul>
      <p className="text-sm">This cannot be undone.</p>
      {user.hasPassword && (
        <form onSubmit={submit} noValidate>
          <PasswordField
            ref={field}
            label="Your password"
            autoComplete="current-password"
            maxLength={limits.passwordCharactersMax}
            value={password}
            onValueChange={write}
            error={fault}
            className="mt-2"
          />
        </form>
      )}
    </ConfirmDialog>
  );
}
