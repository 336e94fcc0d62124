import { useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { SignOn } from '#contract/sign-on.ts';
import { Fault } from '../../kit/fault.tsx';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { formatDay } from '../../ui/quantities.ts';
import { SettingsRow } from '../../ui/settings.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useIsSignUpClosed, useRemoveSignOn, useVerifyDomain } from './queries.ts';

interface SignOnStateProps {
  teamId: string;
  signOn: SignOn;
  onEdit: () => void;
}

/** What is set, and while the domain is not proved, how to prove it. */
export function SignOnState({ teamId, signOn, onEdit }: SignOnStateProps) {
  const [isRemoving, setIsRemoving] = useState(false);
  const { domain, issuer, clientId, defaultRole, verifiedAt, missingSince, isVouchedFor } = signOn;
  const isOperator = useSession().data?.user?.isOperator === true;
  const isProved = verifiedAt !== null && missingSince === null;
  const isSignUpClosed = useIsSignUpClosed();
  const facts = [
    ['Provider', issuer],
    ['Client ID', clientId],
    ['New members are', defaultRole === 'writer' ? 'Writers' : 'Readers'],
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
            <Button size="sm" onClick={() => setIsRemoving(true)}>
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
            If you vouch for the domain, its people get accounts while sign-up is closed.
          </p>
          <Vouch teamId={teamId} signOn={signOn} />
        </SettingsRow>
      )}
      <RemoveDialog teamId={teamId} domain={domain} isOpen={isRemoving} onClose={() => setIsRemoving(false)} />
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
  const verify = useVerifyDomain(teamId);
  const toast = useToast();
  const isOperator = useSession().data?.user?.isOperator === true;
  const { name, value } = signOn.record;
  return (
    <SettingsRow className="flex flex-col gap-3">
      <p className="text-soft text-sm">{whatToDo(signOn)}</p>
      <CodeBlock code={name} label="Record name" />
      <CodeBlock code={value} label="Record value" />
      <Fault error={verify.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="action"
          isBusy={verify.isPending}
          onClick={() => verify.mutate(undefined, { onSuccess: () => toast({ message: 'Domain verified' }) })}
        >
          Check the record
        </Button>
        {isOperator && <Vouch teamId={teamId} signOn={signOn} />}
      </div>
    </SettingsRow>
  );
}

function Vouch({ teamId, signOn }: { teamId: string; signOn: SignOn }) {
  const [isVouching, setIsVouching] = useState(false);
  return (
    <>
      <Button onClick={() => setIsVouching(true)}>Vouch for it…</Button>
      <VouchDialog teamId={teamId} signOn={signOn} isOpen={isVouching} onClose={() => setIsVouching(false)} />
    </>
  );
}

interface VouchDialogProps {
  teamId: string;
  signOn: SignOn;
  isOpen: boolean;
  onClose: () => void;
}

/** Says what an operator vouches for. */
function VouchDialog({ teamId, signOn: { domain, issuer, verifiedAt }, isOpen, onClose }: VouchDialogProps) {
  const verify = useVerifyDomain(teamId);
  const toast = useToast();
  const close = () => {
    verify.reset();
    onClose();
  };
  const onVouched = () => {
    toast({ message: 'Domain verified' });
    close();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={`Vouch for ${domain}?`}
      actionLabel="Vouch for the domain"
      look="action"
      isBusy={verify.isPending}
      error={verify.error ? sentenceForPeople(verify.error) : undefined}
      onConfirm={() => verify.mutate({ domain, issuer }, { onSuccess: onVouched })}
    >
      <p>
        Everyone who signs in at {issuer} with an email address at {domain} then joins this team
        {verifiedAt === null && ', although no DNS record proves the domain'}, and gets an account even while sign-up is
        closed. Make sure that the team owns both.
      </p>
    </ConfirmDialog>
  );
}

interface RemoveDialogProps {
  teamId: string;
  domain: string;
  isOpen: boolean;
  onClose: () => void;
}

function RemoveDialog({ teamId, domain, isOpen, onClose }: RemoveDialogProps) {
  const removal = useRemoveSignOn(teamId);
  const close = () => {
    removal.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={`Remove single sign-on for ${domain}?`}
      actionLabel="Remove single sign-on"
      isBusy={removal.isPending}
      error={removal.error ? sentenceForPeople(removal.error) : undefined}
      onConfirm={() => removal.mutate(undefined, { onSuccess: close })}
    >
      <p>
        Members stay in the team and stay signed in. To sign in again they need GitHub, Google or a password, which they
        can set with “Forgot Password”.
      </p>
    </ConfirmDialog>
  );
}
