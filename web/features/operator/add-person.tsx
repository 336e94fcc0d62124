import { type FormEvent, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { usePeopleActions } from './queries.ts';

interface AddPersonProps {
  onClose: () => void;
  onLink: (link: { name: string; url: string; isMailed: boolean }) => void;
}

/** Creates an account for someone, even if sign-up is closed. */
export function AddPerson({ onClose, onLink }: AddPersonProps) {
  const [email, setEmail] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [isInvited, setIsInvited] = useState(true);
  const [isOperator, setIsOperator] = useState(false);
  const emailRef = useRef<HTMLInputElement>(null);
  const { create } = usePeopleActions();
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    if (email.trim() === '') return emailRef.current?.focus();
    create.mutate(
      { email, displayName, isInvited, isOperator },
      {
        onSuccess: ({ person, link }) => {
          toast({ message: `Account created for ${person.email ?? email}` });
          onClose();
          if (link) onLink({ name: displayName.trim() || email, ...link });
        },
        onError: () => emailRef.current?.focus(),
      },
    );
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label="Add person"
      className="flex flex-col gap-4 rounded-xl border border-line-strong bg-sunken p-5"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          ref={emailRef}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoFocus
          maxLength={limits.emailCharactersMax}
          value={email}
          onValueChange={setEmail}
          error={create.error ? sentenceForPeople(create.error) : undefined}
        />
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={limits.displayNameCharactersMax}
          value={displayName}
          onValueChange={setDisplayName}
          hint="Optional."
        />
      </div>
      <Checkbox
        label="Send an invitation by email"
        hint="Either way, you get a link that lets the person choose a password."
        isChecked={isInvited}
        onChange={setIsInvited}
      />
      <Checkbox
        label="Operator"
        hint="Can manage people and settings of this installation, like you."
        isChecked={isOperator}
        onChange={setIsOperator}
      />
      <div className="flex gap-2">
        <Button type="submit" look="action" isBusy={create.isPending}>
          Create account
        </Button>
        <Button type="button" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
