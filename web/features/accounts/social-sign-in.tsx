import { useQuery } from '@tanstack/react-query';
import { socialSignInPath } from '#contract/identity.ts';
import { Button } from '../../ui/button.tsx';
import { sentenceOfEnd, useSignInPopup } from './popup.ts';
import { signInMethodsOptions } from './queries.ts';

/** Services that an installation may configure. */
export const services = [
  { provider: 'github', name: 'GitHub', mark: <GitHubMark /> },
  { provider: 'google', name: 'Google', mark: <GoogleMark /> },
] as const;

interface SocialSignInProps {
  /** Called with the error message to show, or undefined to clear it. */
  onFault: (sentence: string | undefined) => void;
  /** Called after a user's first sign-in. */
  onNewAccount?: () => void;
}

/**
 * Sign-in buttons for the configured third-party services. The session updates once the popup has signed in.
 */
export function SocialSignIn({ onFault, onNewAccount }: SocialSignInProps) {
  const methods = useQuery(signInMethodsOptions);
  const { waitingFor, begin } = useSignInPopup((outcome) => {
    if (outcome.type !== 'signed-in') onFault(sentenceOfEnd(outcome));
    else if (outcome.isNewAccount) onNewAccount?.();
  });
  const configured = services.filter(({ provider }) => methods.data?.[provider]);
  if (configured.length === 0) return null;
  return (
    <div className="flex flex-col gap-2.5">
      {configured.map(({ provider, name, mark }) => (
        <Button
          key={provider}
          className="w-full"
          isBusy={waitingFor === socialSignInPath(provider)}
          onClick={() => {
            onFault(undefined);
            begin(socialSignInPath(provider));
          }}
        >
          {mark}
          {`Continue with ${name}`}
        </Button>
      ))}
    </div>
  );
}

/** Returns true once a third-party sign-in is known to be configured. */
export function useHasSocialSignIn(): boolean {
  const methods = useQuery(signInMethodsOptions).data;
  return services.some(({ provider }) => methods?.[provider]);
}

/** A divider between the third-party sign-ins and the form. */
export function OrDivider() {
  return (
    <div className="flex items-center gap-3 text-faint text-xs">
      <span aria-hidden className="h-px flex-1 bg-line" />
      or
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  );
}

/** The services' logos, as their guidelines require on a sign-in button. */
export function GitHubMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className="size-4 fill-current">
      <path d="M12 .3a12 12 0 0 0-3.8 23.38c.6.11.82-.26.82-.58v-2.03c-3.34.72-4.04-1.61-4.04-1.61-.55-1.39-1.34-1.76-1.34-1.76-1.08-.74.09-.73.09-.73 1.2.09 1.83 1.24 1.83 1.24 1.08 1.83 2.81 1.3 3.5 1 .1-.78.42-1.31.76-1.61-2.67-.3-5.47-1.33-5.47-5.93 0-1.31.47-2.38 1.24-3.22-.13-.3-.54-1.52.11-3.18 0 0 1.01-.32 3.3 1.23a11.5 11.5 0 0 1 6 0c2.29-1.55 3.3-1.23 3.3-1.23.65 1.66.24 2.88.12 3.18.77.84 1.23 1.91 1.23 3.22 0 4.61-2.81 5.63-5.48 5.92.43.37.81 1.1.81 2.22v3.29c0 .32.22.7.83.58A12 12 0 0 0 12 .3" />
    </svg>
  );
}

export function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className="size-4">
      <path
        fill="#4285f4"
        d="M23.5 12.27c0-.85-.08-1.66-.22-2.45H12v4.64h6.45a5.52 5.52 0 0 1-2.39 3.62v3h3.87c2.26-2.09 3.57-5.16 3.57-8.81"
      />
      <path
        fill="#34a853"
        d="M12 24c3.24 0 5.95-1.07 7.93-2.91l-3.87-3a7.2 7.2 0 0 1-10.73-3.79H1.33v3.1A12 12 0 0 0 12 24"
      />
      <path fill="#fbbc05" d="M5.33 14.3a7.2 7.2 0 0 1 0-4.6V6.6h-4a12 12 0 0 0 0 10.8z" />
      <path
        fill="#ea4335"
        d="M12 4.77c1.76 0 3.34.61 4.58 1.8l3.44-3.43A12 12 0 0 0 1.33 6.6l4 3.1A7.15 7.15 0 0 1 12 4.77"
      />
    </svg>
  );
}
