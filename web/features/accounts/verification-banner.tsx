import { X } from 'lucide-react';
import { useState } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import { verifiedText } from '#contract/verified-text.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { useLinkTexts, useSendVerification } from './send-verification.ts';

/**
 * Shown above every page until the signed-in user's address is verified; announces when it becomes verified. Rendered
 * with the page, because appearing later would move buttons that users are about to click.
 */
export function VerificationBanner() {
  const user = useSession().data?.user;
  if (!user || user.email === null) return null;
  return <Banner key={user.uid} user={user} email={user.email} />;
}

function Banner({ user, email }: { user: SessionUser; email: string }) {
  const send = useSendVerification();
  const texts = useLinkTexts(send.isSuccess);
  const [isDismissed, setIsDismissed] = useState(false);
  const [wasUnverified, setWasUnverified] = useState(!user.isEmailVerified);
  if (!user.isEmailVerified && !wasUnverified) setWasUnverified(true);
  if (isDismissed || !wasUnverified) return null;

  return (
    <section aria-label="Verify your email" className="border-warn-line border-b bg-warn-ground text-soft text-sm">
      <div className="frame flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
        <div className="min-w-0 flex-1 basis-64">
          {send.error && !user.isEmailVerified ? (
            <p role="alert" className="text-danger">
              {sentenceForPeople(send.error)}
            </p>
          ) : (
            <p role="status">
              {user.isEmailVerified ? (
                verifiedText
              ) : (
                <>
                  {send.isSuccess ? texts.sent : `Verify your email: ${texts.ask}`}{' '}
                  <span className="font-medium text-ink">{email}</span>.
                  {send.isSuccess && ' Older links no longer work.'}
                </>
              )}
            </p>
          )}
        </div>
        <div className="flex items-center gap-1.5">
          {!user.isEmailVerified && (
            <Button size="sm" isBusy={send.isPending} onClick={() => send.mutate()}>
              {texts.button}
            </Button>
          )}
          <Button look="quiet" size="icon-sm" aria-label="Dismiss" onClick={() => setIsDismissed(true)}>
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      </div>
    </section>
  );
}
