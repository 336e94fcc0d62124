import { useQuery } from '@tanstack/react-query';
import { MailQuestion, MailX, Users } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { sentenceOf } from '#contract/errors.ts';
import { inviteToastSeconds, teamTexts } from '#contract/team-texts.ts';
import { inviteOptions, useAcceptInvite } from '../features/teams/queries.ts';
import { roleTexts } from '../features/teams/roles.ts';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { ApiError, isEmailUnverified, sentenceForPeople } from '../lib/api-error.ts';
import { destinationDefault, withContinuation } from '../lib/continuation.ts';
import type { InvitedSignUp } from '../lib/invited-sign-up.ts';
import { titledPage } from '../lib/page-title.tsx';
import { forgetInvite, pendingInvite, rememberInvite } from '../lib/pending-invite.ts';
import { useSession, useSignOut } from '../lib/session.ts';
import { whenShown } from '../lib/when-shown.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { useToast } from '../ui/toast.tsx';

/**
 * Accepts an invite as soon as someone is signed in. Its token is in the address, or was stored by this tab during the
 * sign-in.
 */
function AcceptScreen() {
  const session = useSession();
  const inAddress = useParams().tokenId;
  const uid = session.data?.user?.uid ?? null;
  const token = inAddress ?? (session.data ? pendingInvite(uid) : null);
  const isKnown = session.data !== undefined;

  const lookedAtBy = useRef<string | null>(null);
  useEffect(() => {
    if (!isKnown || inAddress === undefined) return;
    const isOtherNow = lookedAtBy.current !== null && lookedAtBy.current !== uid;
    lookedAtBy.current = uid ?? lookedAtBy.current;
    // An invite that one user had open when they signed out is not kept for the next user.
    if (!isOtherNow) rememberInvite(inAddress, uid);
  }, [isKnown, inAddress, uid]);

  if (session.isError && !session.data) {
    return (
      <AcceptFrame icon={<MailX aria-hidden className="size-5" />} title="Couldn't load your session">
        <RetryNotice query={session} />
      </AcceptFrame>
    );
  }
  if (!session.data) return <Waiting />;
  if (token === null) return <Missing />;
  if (!session.data.user) return <SignInRequired token={token} />;
  return <Accepting key={token} token={token} />;
}

export default titledPage('Team invitation', AcceptScreen);

function Waiting() {
  return (
    <AcceptFrame icon={<MailQuestion aria-hidden className="size-5" />} title="Team invitation">
      <Loading label="Loading the invitation…" className="flex flex-col gap-2.5">
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-3/5" />
      </Loading>
    </AcceptFrame>
  );
}

function SignInRequired({ token }: { token: string }) {
  const invite = useQuery(inviteOptions(token)).data;
  return (
    <AcceptFrame icon={<Users aria-hidden className="size-5" />} title={teamTexts.signInRequired}>
      {invite ? (
        <p>
          {invite.invitedBy ?? 'Someone'} invites <span className="font-medium text-ink">{invite.email}</span> to{' '}
          <span className="font-medium text-ink">{invite.teamName}</span> as {roleTexts[invite.role].asOne}. Sign in, or
          create an account, with that address.
        </p>
      ) : (
        <p>Sign in, or create an account, with the address the invitation was sent to.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Link
          to={withContinuation('/signup', acceptPath(token))}
          state={invite ? ({ email: invite.email, teamName: invite.teamName } satisfies InvitedSignUp) : undefined}
          className={buttonClasses('action')}
        >
          Create account
        </Link>
        <ButtonLink to={withContinuation('/login', acceptPath(token))}>Sign In</ButtonLink>
      </div>
    </AcceptFrame>
  );
}

/** Returns the invite page's path, to which sign-in and sign-up lead back. */
function acceptPath(token: string): string {
  return `/accept/${encodeURIComponent(token)}`;
}

function Accepting({ token }: { token: string }) {
  const accept = useAcceptInvite();
  const navigate = useNavigate();
  const toast = useToast();
  const startedWith = useRef<string>(undefined);
  const { mutateAsync } = accept;

  const start = useCallback(() => {
    mutateAsync(token).then(
      () => {
        forgetInvite();
        toast({ message: teamTexts.inviteAccepted, durationMs: inviteToastSeconds.accepted * 1_000 });
        void navigate(destinationDefault, { replace: true });
      },
      (error: unknown) =>
        toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: inviteToastSeconds.refused * 1_000 }),
    );
  }, [mutateAsync, token, toast, navigate]);

  useEffect(
    () =>
      whenShown(() => {
        // Once per token, even if React runs the effect again.
        if (startedWith.current === token) return;
        startedWith.current = token;
        start();
      }),
    [token, start],
  );

  const { error } = accept;
  if (error instanceof ApiError && error.code === 'invite-not-found') return <Missing />;
  if (error) {
    return (
      <AcceptFrame icon={<MailX aria-hidden className="size-5" />} title={teamTexts.inviteRefused}>
        <p role="alert">{sentenceForPeople(error)}</p>
        {isEmailUnverified(error) && <p>Open the verification link in your email, then try again.</p>}
        <div className="flex flex-wrap gap-2">
          {error instanceof ApiError && error.code === 'invite-for-other-address' && <OtherAccount token={token} />}
          {(isEmailUnverified(error) || (error instanceof ApiError && error.code === 'offline')) && (
            <Button look="action" isBusy={accept.isPending} onClick={start}>
              Try again
            </Button>
          )}
          <ToDashboard label="Continue to Dashboard" />
        </div>
      </AcceptFrame>
    );
  }
  return (
    <AcceptFrame icon={<Users aria-hidden className="size-5" />} title="Accepting the invitation…">
      <Loading label="Accepting the invitation…">One moment.</Loading>
    </AcceptFrame>
  );
}

/** Ends the session of the wrong account and opens the sign-in screen, which leads back here. */
function OtherAccount({ token }: { token: string }) {
  const signOut = useSignOut();
  const navigate = useNavigate();
  const toast = useToast();
  return (
    <Button
      look="action"
      isBusy={signOut.isPending}
      onClick={({ currentTarget }) =>
        signOut.mutateAsync().then(
          () => void navigate(withContinuation('/login', acceptPath(token))),
          (error: unknown) => toast({ message: sentenceForPeople(error), tone: 'bad', target: currentTarget }),
        )
      }
    >
      Sign in with another account
    </Button>
  );
}

function Missing() {
  return (
    <AcceptFrame icon={<MailQuestion aria-hidden className="size-5" />} title={teamTexts.inviteMissing}>
      <p role="alert">{sentenceOf('invite-not-found')}</p>
      <p>It may have been used, withdrawn or replaced. Ask an admin of the team to send a new invitation.</p>
      <ToDashboard label="Go to Dashboard" />
    </AcceptFrame>
  );
}

function ToDashboard({ label }: { label: string }): ReactNode {
  return (
    <Link to={destinationDefault} onClick={forgetInvite} className={`${buttonClasses('plain')} self-start`}>
      {label}
    </Link>
  );
}

interface AcceptFrameProps {
  icon: ReactNode;
  title: string;
  children: ReactNode;
}

/** A centred card for the result of an invite link. */
function AcceptFrame({ icon, title, children }: AcceptFrameProps) {
  return (
    <div className="page flex flex-1 flex-col items-center justify-center py-12 md:py-16">
      <div className="w-full max-w-[27rem] rounded-xl border border-line bg-surface p-6 shadow-md sm:p-8">
        <div className="mb-5 flex size-11 items-center justify-center rounded-lg border border-lamp-line bg-lamp-ground text-lamp">
          {icon}
        </div>
        <h1 className="heading-page">{title}</h1>
        <div className="mt-3 flex flex-col gap-5 text-md text-soft">{children}</div>
      </div>
    </div>
  );
}
