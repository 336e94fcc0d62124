import { BadgeCheck, MailWarning } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import * as limits from '#contract/limits.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useUpdateProfile } from './queries.ts';
import { useLinkTexts, useSendVerification } from './send-verification.ts';

/** The account's name and email address. */
export function ProfileSection({ user }: { user: SessionUser }) {
  return (
    <SettingsSection id="profile" title="Profile" about="Your name and email on this installation.">
      <SettingsRow>
        <NameForm displayName={user.displayName} />
      </SettingsRow>
      <SettingsRow className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="font-medium text-ink text-sm">Email</p>
          <p className="mt-0.5 text-soft">{user.email ?? 'This account has no email address.'}</p>
        </div>
        {user.email !== null && (user.isEmailVerified ? <Verified /> : <Unverified />)}
      </SettingsRow>
    </SettingsSection>
  );
}

function NameForm({ displayName }: { displayName: string }) {
  const [name, setName] = useState(displayName);
  const update = useUpdateProfile();
  const saveRef = useRef<HTMLButtonElement>(null);
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (update.isPending || name.trim() === displayName) return;
    update.mutate(name.trim(), {
      onSuccess: () => toast({ id: 'profile', message: 'Name saved', target: saveRef.current }),
    });
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Profile" className="flex flex-wrap items-start gap-2">
      <TextField
        label="Name"
        autoComplete="name"
        maxLength={limits.displayNameCharactersMax}
        value={name}
        onValueChange={setName}
        error={update.error ? sentenceForPeople(update.error) : undefined}
        className="flex-1 basis-56"
      />
      <Button ref={saveRef} type="submit" isBusy={update.isPending} className="mt-6.5">
        Save
      </Button>
    </form>
  );
}

function Verified() {
  return (
    <Badge tone="good" icon={<BadgeCheck aria-hidden className="size-3.5" />}>
      Verified
    </Badge>
  );
}

function Unverified() {
  const send = useSendVerification();
  const texts = useLinkTexts(send.isSuccess);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Badge tone="warn" icon={<MailWarning aria-hidden className="size-3.5" />}>
        Not verified
      </Badge>
      <Button size="sm" isBusy={send.isPending} onClick={() => send.mutate()}>
        {texts.button}
      </Button>
      <p role="status" className="w-full text-faint text-xs empty:hidden">
        {send.isSuccess && `${texts.sent} you. Older links no longer work.`}
        {send.error && <span className="text-danger">{sentenceForPeople(send.error)}</span>}
      </p>
    </div>
  );
}
