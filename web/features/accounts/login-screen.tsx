import { useEffect } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { limits } from '#contract/limits.ts';
import { commands } from '../../lib/commands.ts';
import { safeContinuation } from '../../lib/continuation.ts';
import { useProductName, useSession } from '../../lib/session.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Door } from './door.tsx';
import { rememberContinuation } from './pending-continuation.ts';

/** Tells the person who runs this installation how to get a sign-in link. Somebody already signed in goes on. */
export function LoginScreen() {
  const session = useSession();
  const productName = useProductName();
  const [params] = useSearchParams();
  const cont = params.get('cont');

  useEffect(() => {
    // The way back leads through the command line: the tab's storage keeps it, for the link holds only the code.
    if (cont !== null) rememberContinuation(cont);
  }, [cont]);

  if (session.data?.user) return <Navigate to={safeContinuation(cont, window.location.origin)} replace />;

  return (
    <Door title={`Sign in to ${productName}`}>
      <p>
        This installation belongs to the person who started it. If that is you, print a sign-in link in the folder{' '}
        {productName} runs in, then open it in this browser:
      </p>
      <CodeBlock code={commands.link} isCommand label="Command that prints a sign-in link" />
      <ul className="flex list-disc flex-col gap-1 pl-5 text-base">
        <li>A link works once and for {limits.signInLinkLifetimeMinutes} minutes.</li>
        <li>This browser then stays signed in for {limits.webSessionLifetimeDays} days.</li>
        <li>Agents need no sign-in: they use an API key.</li>
      </ul>
    </Door>
  );
}
