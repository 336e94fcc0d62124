import * as limits from '#contract/limits.ts';
import { type SignOn, signOnEndpoints } from '#contract/sign-on.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { Fault } from '../../kit/fault.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { useSession } from '../../lib/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { formatDay } from '../../ui/quantities.ts';
import { SettingsRow } from '../../ui/settings.tsx';
import { useIsSignUpClosed } from './queries.ts';

interface SignOnStateProps {
  teamId: string;
  signOn: SignOn;
  onEdit: () => void;
}

/** The current settings and, until the domain is proved, how to prove it. */
export function SignOnState({ teamId, signOn, onEdit }: SignOnStateProps) {
  const removing = useRemoving(teamId);
  const { domain, issuer, clientId, defaultRole, verifiedAt, missingSince, isVouchedFor } = signOn;
  const isOperator = useSession().data?.user?.isOperator === true;
  const isProved = verifiedAt !== null && missingSince === null;
  const isSignUpClosed = useIsSignUpClosed();
  const facts = [
    ['Provider', issuer],
    ['Client ID', clientId],
    ['Default role', defaultRole === 'writer' ? 'Writer' : 'Reader'],
  ];
  return (
    <>
      <SettingsRow className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex min-w-0 flex-wrap items-center gap-2">
            <span className="wrap-anywhere font-medium text-ink">{domain}</span>
            <Badge tone={isProved ? 'good' : 'warn'}>{stateOf(signOn)}</Badge>
          </p>
          <div className="flex gap-2">
            <Button size="sm" onClick={onEdit}>
              Change…
            </Button>
            <Button size="sm" onClick={() => removing.ask(signOn)}>
              Remove…
            </Button>
          </div>
        </div>
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-faint">{name}</dt>
              <dd className="wrap-anywhere text-soft">{value}</dd>
            </div>
          ))}
        </dl>
      </SettingsRow>
      {!isProved && <Proof teamId={teamId} signOn={signOn} />}
      {isProved && !isVouchedFor && isOperator && isSignUpClosed && (
        <SettingsRow className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-soft text-sm">
            If you vouch for the domain, its people get accounts even while sign-up is closed.
          </p>
          <Vouch teamId={teamId} signOn={signOn} />
        </SettingsRow>
      )}
      {removing.dialog}
    </>
  );
}

function stateOf({ verifiedAt, missingSince }: SignOn): string {
  if (missingSince === null) return verifiedAt === null ? 'Not verified yet' : 'In use';
  return verifiedAt === null ? 'Ended' : 'Record missing';
}

function whatToDo({ verifiedAt, missingSince }: SignOn): string {
  if (missingSince === null) {
    return 'Prove that you own the domain: add this TXT record to its DNS. Until then, single sign-on is off.';
  }
  if (verifiedAt === null) {
    return 'Single sign-on is off: this TXT record is missing from the domain’s DNS. Add it again.';
  }
  const end = formatDay(missingSince + limits.signOnGraceDays * 86_400_000);
  return `This TXT record is missing from the domain’s DNS. Add it again by ${end}, or sign-in ends.`;
}

function Proof({ teamId, signOn }: { teamId: string; signOn: SignOn }) {
  const verify = useAction(signOnEndpoints.verifySignOnDomain, {
    invalidates: ['signOn'],
    toast: () => 'Domain verified',
  });
  const isOperator = useSession().data?.user?.isOperator === true;
  const { name, value } = signOn.record;
  return (
    <SettingsRow className="flex flex-col gap-3">
      <p className="text-soft text-sm">{whatToDo(signOn)}</p>
      <CodeBlock code={name} label="Record name" />
      <CodeBlock code={value} label="Record value" />
      <Fault error={verify.error} />
      <div className="flex flex-wrap gap-2">
        <Button look="action" isBusy={verify.isPending} onClick={() => verify.mutate({ teamId })}>
          Check the record
        </Button>
        {isOperator && <Vouch teamId={teamId} signOn={signOn} />}
      </div>
    </SettingsRow>
  );
}

/** Explains the effects of vouching for a domain and asks for confirmation. */
function Vouch({ teamId, signOn }: { teamId: string; signOn: SignOn }) {
  const vouching = useConfirm(
    {
      title: ({ domain }: SignOn) => `Vouch for ${domain}?`,
      body: ({ domain, issuer, verifiedAt }) => (
        <p>
          Everyone who signs in at {issuer} with an email address at {domain} then joins this team
          {verifiedAt === null && ', although no DNS record proves the domain'}, and gets an account even while sign-up
          is closed. Make sure that the team owns both.
        </p>
      ),
      actionLabel: 'Vouch for the domain',
      look: 'action',
      toast: () => 'Domain verified',
    },
    useAction(signOnEndpoints.verifySignOnDomain, { invalidates: ['signOn'] }),
    ({ domain, issuer }) => ({ teamId, vouchFor: { domain, issuer } }),
  );
  return (
    <>
      <Button onClick={() => vouching.ask(signOn)}>Vouch for it…</Button>
      {vouching.dialog}
    </>
  );
}

function useRemoving(teamId: string) {
  return useConfirm(
    {
      title: ({ domain }: SignOn) => `Remove single sign-on for ${domain}?`,
      body: () => (
        <p>
          Members stay in the team and stay signed in. To sign in again they need GitHub, Google or a password, which
          they can set with “Forgot Password”.
        </p>
      ),
      actionLabel: 'Remove single sign-on',
    },
    useAction(signOnEndpoints.removeSignOn, { invalidates: ['signOn'] }),
    () => ({ teamId }),
  );
}
