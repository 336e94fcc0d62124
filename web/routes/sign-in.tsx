import { useCallback, useEffect, useRef } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { Door } from '../features/accounts/door.tsx';
import { takeContinuation } from '../features/accounts/pending-continuation.ts';
import { ApiError, sentenceForPeople } from '../lib/api-error.ts';
import { commands } from '../lib/commands.ts';
import { destinationDefault, safeContinuation } from '../lib/continuation.ts';
import { titledPage } from '../lib/page-title.tsx';
import { useRedeemSignInLink, useSession } from '../lib/session.ts';
import { whenShown } from '../lib/when-shown.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Loading } from '../ui/skeleton.tsx';

/**
 * Redeems a sign-in link's code. Only this script, on a visible page, sends the code to the server: a mail scanner, a
 * preview or a prefetch of the address does not use it up.
 */
function SignInScreen() {
  const [params] = useSearchParams();
  const code = useParams().code ?? params.get('code') ?? '';
  const { mutate, error, isPending } = useRedeemSignInLink();
  const navigate = useNavigate();
  const startedWith = useRef<string>(undefined);

  const redeem = useCallback(
    () =>
      mutate(code, {
        onSuccess: () => void navigate(safeContinuation(takeContinuation(), window.location.origin), { replace: true }),
      }),
    [code, mutate, navigate],
  );

  useEffect(() => {
    if (code === '') return;
    return whenShown(() => {
      // Once per code, even if React runs the effect again.
      if (startedWith.current === code) return;
      startedWith.current = code;
      redeem();
    });
  }, [code, redeem]);

  if (code === '') return <Refused title="This link has no code" sentence="Open the complete link." />;
  if (error instanceof ApiError && error.code === 'offline') {
    return (
      <Door title="The server is not responding">
        <p role="alert">{sentenceForPeople(error)} Your link may still work.</p>
        <Button look="action" className="self-start" isBusy={isPending} onClick={redeem}>
          Try again
        </Button>
      </Door>
    );
  }
  if (error) return <Refused title="This link no longer works" sentence={sentenceForPeople(error)} />;
  return (
    <Door title="Signing you in…">
      <Loading label="Signing you in…">One moment.</Loading>
    </Door>
  );
}

export default titledPage('Sign in', SignInScreen);

function Refused({ title, sentence }: { title: string; sentence: string }) {
  const isSignedIn = Boolean(useSession().data?.user);
  return (
    <Door title={title}>
      <p role="alert">{sentence}</p>
      {isSignedIn ? (
        <>
          <p>You are already signed in, so you don't need it.</p>
          <Link to={destinationDefault} replace className={`${buttonClasses('action')} self-start`}>
            Continue
          </Link>
        </>
      ) : (
        <>
          <p>Each link works once. Create a new one in the server's folder:</p>
          <CodeBlock code={commands.link} isCommand label="Command that prints a sign-in link" />
        </>
      )}
    </Door>
  );
}
