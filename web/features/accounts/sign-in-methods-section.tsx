import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import { socialSignInPath } from '#contract/identity.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { sentenceOfEnd, useSignInPopup } from './popup.ts';
import { accountDetailsOptions, signInMethodsOptions } from './queries.ts';
import { services } from './social-sign-in.tsx';

/** The account's sign-in methods. */
export function SignInMethodsSection({ user }: { user: SessionUser }) {
  return (
    <SettingsSection
      id="sign-in-methods"
      title="Sign-in methods"
      about={user.email === null ? undefined : 'You can connect a service where you use the same email.'}
    >
      {user.isOperator && (
        <Method icon={<Terminal aria-hidden className="size-4" />} name="Sign-in link" state={<Connected />}>
          Created on this installation's command line.
        </Method>
      )}
      {user.email !== null && (
        <Method
          icon={<KeyRound aria-hidden className="size-4" />}
          name="Email and password"
          state={user.hasPassword ? <Connected /> : <Badge>No password</Badge>}
        >
          {user.email}
        </Method>
      )}
      <Services canConnect={user.email !== null} />
    </SettingsSection>
  );
}

/** Third-party services configured on this installation, and those connected to the account. */
function Services({ canConnect }: { canConnect: boolean }) {
  const details = useQuery(accountDetailsOptions);
  const methods = useQuery(signInMethodsOptions);
  if (details.isError) {
    return (
      <SettingsRow>
        <RetryNotice query={details} title="Couldn't load your sign-in methods" isSmall />
      </SettingsRow>
    );
  }
  return services.map(({ provider, name, mark }) => {
    const connected = details.data?.providers.find((entry) => entry.provider === provider);
    if (connected === undefined && !(canConnect && methods.data?.[provider])) return null;
    return (
      <Method
        key={provider}
        icon={mark}
        name={name}
        state={
          details.data ? (
            connected ? (
              <Connected />
            ) : (
              <Connect service={{ provider, name }} />
            )
          ) : (
            <Skeleton className="h-5 w-20" />
          )
        }
      >
        {connected && (
          <>
            Since <RelativeTime at={connected.connectedAt} />
          </>
        )}
      </Method>
    );
  });
}

/** Signs in at the service, which connects it to the account. */
function Connect({ service: { provider, name } }: { service: Pick<(typeof services)[number], 'provider' | 'name'> }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { waitingFor, begin } = useSignInPopup((outcome) => {
    if (outcome.type === 'cancelled') return;
    if (outcome.type === 'signed-in') void queries.invalidateQueries({ queryKey: accountDetailsOptions.queryKey });
    else toast({ message: sentenceOfEnd(outcome), tone: 'bad', durationMs: 5_000 });
  });
  return (
    <Button
      size="sm"
      aria-label={`Connect ${name}`}
      isBusy={waitingFor !== undefined}
      onClick={() => begin(socialSignInPath(provider))}
    >
      Connect
    </Button>
  );
}

function Connected() {
  return <Badge tone="good">Connected</Badge>;
}

interface MethodProps {
  icon: ReactNode;
  name: string;
  state: ReactNode;
  children?: ReactNode;
}

function Method({ icon, name, state, children }: MethodProps) {
  return (
    <SettingsRow className="flex items-center gap-4">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-md border border-line bg-sunken text-soft">
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ink text-sm">{name}</p>
        {children !== undefined && <p className="text-faint text-xs">{children}</p>}
      </div>
      {state}
    </SettingsRow>
  );
}
