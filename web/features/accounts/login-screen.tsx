import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { signInMessageOf } from '#contract/identity-texts.ts';
import * as limits from '#contract/limits.ts';
import { ApiError } from '../../lib/api-error.ts';
import { commands } from '../../lib/commands.ts';
import { safeContinuation, withContinuation } from '../../lib/continuation.ts';
import { forgetFarewell, readFarewell } from '../../lib/farewell.ts';
import { usePageQuery } from '../../lib/page-query.ts';
import { Redirect } from '../../lib/redirect.tsx';
import { useProductName, useSession } from '../../lib/session.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Door, DoorFault, DoorFoot, doorLinkClasses } from './door.tsx';
import { rememberContinuation } from './pending-continuation.ts';
import { useSignIn } from './queries.ts';
import { SignInForm } from './sign-in-form.tsx';
import { OrDivider, SocialSignIn } from './social-sign-in.tsx';
import { TeamSignIn } from './team-sign-in.tsx';

/** Lets people in. Someone already signed in, in whatever tab, goes on to where they wanted to go. */
export function LoginScreen() {
  const session = useSession();
  const productName = useProductName();
  const params = usePageQuery();
  const cont = params.get('cont');
  const signIn = useSignIn();
  const [socialFault, setSocialFault] = useState<string>();

  useEffect(() => {
    // The way back may lead through the command line or a mail: the tab's storage keeps it, for their links do not.
    if (cont !== null) rememberContinuation(cont);
  }, [cont]);

  if (session.data?.user) return <Redirect to={safeContinuation(cont, window.location.origin)} />;

  const tellFault = (sentence: string | undefined) => {
    signIn.reset();
    setSocialFault(sentence);
  };
  const fault =
    socialFault ??
    (signIn.error ? signInMessageOf(signIn.error instanceof ApiError ? signIn.error.code : undefined) : undefined);
  return (
    <Door title={`Sign in to ${productName}`}>
      <FarewellNotice />
      <div className="flex flex-col gap-2.5">
        <SocialSignIn onFault={tellFault} />
        <TeamSignIn onFault={tellFault} />
      </div>
      <OrDivider />
      {fault !== undefined && <DoorFault>{fault}</DoorFault>}
      <SignInForm
        isBusy={signIn.isPending}
        onSubmit={(input) => {
          setSocialFault(undefined);
          signIn.mutate(input);
        }}
      />
      <DoorFoot>
        New to {productName}?{' '}
        <Link to={withContinuation('/signup', cont)} className={doorLinkClasses}>
          Create an Account
        </Link>
      </DoorFoot>
      <OperatorsWay productName={productName} />
    </Door>
  );
}

const never = () => () => undefined;

/** Says that the account was deleted, or that the session ended while this tab was open. */
function FarewellNotice() {
  const reason = useSyncExternalStore(never, readFarewell, () => undefined);
  useEffect(() => forgetFarewell, []);
  if (reason === undefined || reason === 'left') return null;
  return (
    <div role="status">
      {reason === 'account-deleted' ? (
        <Notice tone="info" title="Your account was deleted">
          Your API keys and private sources were deleted with it.
        </Notice>
      ) : (
        <Notice tone="info">You were signed out. Sign in to continue.</Notice>
      )}
    </div>
  );
}

/** The way in of the operator: it needs no account, no mail and no password. */
function OperatorsWay({ productName }: { productName: string }) {
  return (
    <details className="group rounded-lg border border-line bg-surface text-base">
      <summary className="flex min-h-10 items-center rounded-lg px-4 py-2 font-medium text-ink text-sm marker:content-none">
        <span aria-hidden className="mr-2 text-faint transition-transform group-open:rotate-90">
          ›
        </span>
        Do you run this installation?
      </summary>
      <div className="flex flex-col gap-3 border-line border-t px-4 pt-3 pb-4 text-sm">
        <p>
          Print a sign-in link in the folder {productName} runs in, then open it in this browser. You don't need an
          account:
        </p>
        <CodeBlock code={commands.link} isCommand label="Command that prints a sign-in link" />
        <p>
          Each link works once, for {limits.signInLinkLifetimeMinutes} minutes. This browser then stays signed in for{' '}
          {limits.webSessionLifetimeDays} days.
        </p>
      </div>
    </details>
  );
}
