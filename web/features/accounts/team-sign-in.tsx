import { Building2 } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { sentenceOf } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import { signOnStartPath } from '#contract/sign-on.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { openSignInPopup } from './popup.ts';

interface TeamSignInProps {
  /** What went wrong, for the screen to show; undefined when it is forgotten. */
  onFault: (sentence: string | undefined) => void;
}

/** The way in through the provider of one's team: asks for the address, whose domain says which. */
export function TeamSignIn({ onFault }: TeamSignInProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  const emailRef = useRef<HTMLInputElement>(null);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  useEffect(() => {
    if (isOpen) emailRef.current?.focus();
  }, [isOpen]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === '') return emailRef.current?.focus();
    stop.current?.();
    onFault(undefined);
    setIsWaiting(true);
    stop.current = openSignInPopup(`${signOnStartPath}?email=${encodeURIComponent(email.trim())}`, (outcome) => {
      setIsWaiting(false);
      switch (outcome.type) {
        case 'signed-in':
          return;
        case 'sign-in-failed':
          return onFault(outcome.message);
        case 'cancelled':
          return onFault(sentenceOf('popup-closed-by-user'));
        case 'blocked':
          return onFault(sentenceOf('popup-blocked'));
      }
    });
  };

  if (!isOpen) {
    return (
      <Button className="w-full" onClick={() => setIsOpen(true)}>
        <Building2 aria-hidden className="size-4" />
        Continue with single sign-on
      </Button>
    );
  }
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label="Single sign-on"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <TextField
        ref={emailRef}
        label="Work email"
        type="email"
        autoComplete="username"
        hint="Its domain tells us your team's sign-in."
        maxLength={limits.emailCharactersMax}
        value={email}
        onValueChange={setEmail}
      />
      <div className="flex gap-2">
        <Button type="submit" look="action" isBusy={isWaiting} className="flex-1">
          Continue
        </Button>
        <Button onClick={() => setIsOpen(false)}>Back</Button>
      </div>
    </form>
  );
}
