import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '#contract/errors.ts';
import { type SocialProvider, socialSignInPath } from '#contract/identity.ts';
import { Button } from '../../ui/button.tsx';
import { openSignInPopup } from './popup.ts';
import { GitHubMark, GoogleMark } from './provider-marks.tsx';
import { signInMethodsOptions } from './queries.ts';

const providers = [
  { name: 'github', label: 'Continue with GitHub', mark: <GitHubMark /> },
  { name: 'google', label: 'Continue with Google', mark: <GoogleMark /> },
] as const;

interface SocialSignInProps {
  /** What went wrong, for the screen to show; undefined when it is forgotten. */
  onFault: (sentence: string | undefined) => void;
  /** Someone has signed in for the first time. */
  onNewAccount?: () => void;
}

/** The ways in through another service that this installation has set up. The session follows by itself once the popup has signed in. */
export function SocialSignIn({ onFault, onNewAccount }: SocialSignInProps) {
  const methods = useQuery(signInMethodsOptions);
  const [waitingFor, setWaitingFor] = useState<SocialProvider>();
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const begin = (provider: SocialProvider) => {
    stop.current?.();
    onFault(undefined);
    setWaitingFor(provider);
    stop.current = openSignInPopup(socialSignInPath(provider), (outcome) => {
      setWaitingFor(undefined);
      switch (outcome.type) {
        case 'signed-in':
          if (outcome.isNewAccount) onNewAccount?.();
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

  const configured = providers.filter(({ name }) => methods.data?.[name]);
  if (configured.length === 0) return null;
  return (
    <div className="flex flex-col gap-2.5">
      {configured.map(({ name, label, mark }) => (
        <Button key={name} className="w-full" isBusy={waitingFor === name} onClick={() => begin(name)}>
          {mark}
          {label}
        </Button>
      ))}
    </div>
  );
}

/** Returns true once a way in through another service is known to be set up. */
export function useHasSocialSignIn(): boolean {
  const methods = useQuery(signInMethodsOptions).data;
  return providers.some(({ name }) => methods?.[name]);
}

/** Between the ways in through other services and the form. */
export function OrDivider() {
  return (
    <div className="flex items-center gap-3 text-faint text-xs">
      <span aria-hidden className="h-px flex-1 bg-line" />
      or
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  );
}
