import { useQuery } from '@tanstack/react-query';
import { MailWarning, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import { verifiedText } from '#contract/verified-text.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { signInMethodsLater, useSendVerification } from './send-verification.ts';

/**
 * Over every page while the signed-in person's address is not verified; says so when it becomes verified meanwhile. Comes with every
 * page: if it came later, what people are about to press would move.
 */
export function VerificationBanner() {
  const user = useSession().data?.user;
  if (!user || user.email === null) return null;
  return <Banner key={user.uid} user={user} email={user.email} />;
}

function Banner({ user, email }: { user: SessionUser; email: string }) {
  const send = useSendVerification();
  const isOutbox = useQuery({ ...signInMethodsLater, enabled: !user.isEmailVerified }).data?.mailIsOutbox === true;
  const [isDismissed, setIsDismissed] = useState(false);
  const [wasUnverified, setWasUnverified] = useState(!user.isEmailVerified);
  if (!user.isEmailVerified && !wasUnverified) setWasUnverified(true);
  if (isDismissed || !wasUnverified) return null;

  if (user.isEmailVerified) {
    return (
      <BannerFrame onDismiss={() => setIsDismissed(true)}>
        <p role="status">{verifiedText}</p>
      </BannerFrame>
    );
  }
  return (
    <BannerFrame
      onDismiss={() => setIsDismissed(true)}
      action={
        <Button size="sm" isBusy={send.isPending} onClick={() => send.mutate()}>
          {send.isSuccess ? 'Send again' : 'Send verification email'}
        </Button>
      }
    >
      {send.error ? (
        <p role="alert" className="text-danger">
          {sentenceForPeople(send.error)}
        </p>
      ) : (
        <p role="status">
          {send.isSuccess ? (
            <>
              {isOutbox ? 'The operator has a new link for ' : 'A new link is on its way to '}
              <Address>{email}</Address>. Older links no longer work.
            </>
          ) : (
            <>
              {isOutbox
                ? 'Verify your email: ask the operator for the link for '
                : 'Verify your email: open the link we sent to '}
              <Address>{email}</Address>.
            </>
          )}
        </p>
      )}
    </BannerFrame>
  );
}

function Address({ children }: { children: string }) {
  return <span className="font-medium text-ink">{children}</span>;
}

interface BannerFrameProps {
  children: ReactNode;
  action?: ReactNode;
  onDismiss: () => void;
}

function BannerFrame({ children, action, onDismiss }: BannerFrameProps) {
  return (
    <section aria-label="Verify your address" className="border-warn-line border-b bg-warn-ground text-soft text-sm">
      <div className="frame flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
        <div className="flex min-w-0 flex-1 basis-64 items-center gap-2.5">
          <MailWarning aria-hidden className="size-4 shrink-0 text-warn" />
          {children}
        </div>
        <div className="flex items-center gap-1.5">
          {action}
          <Button look="quiet" size="icon-sm" aria-label="Dismiss" onClick={onDismiss}>
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      </div>
    </section>
  );
}
