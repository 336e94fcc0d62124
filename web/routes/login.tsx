import { Building2 } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { signInMessageOf } from '#contract/identity-texts.ts';
import * as limits from '#contract/limits.ts';
import { signOnStartPath } from '#contract/sign-on.ts';
import { Door, DoorFault, DoorFoot, DoorLink, doorLinkClasses } from '../features/accounts/door.tsx';
import { rememberContinuation } from '../features/accounts/pending-continuation.ts';
import { sentenceOfEnd, useSignInPopup } from '../features/accounts/popup.ts';
import { useSignIn } from '../features/accounts/queries.ts';
import { OrDivider, SocialSignIn } from '../features/accounts/social-sign-in.tsx';
import { ApiError } from '../lib/api-error.ts';
import { commands } from '../lib/commands.ts';
import { safeContinuation, withContinuation } from '../lib/continuation.ts';
import { forgetFarewell, readFarewell } from '../lib/farewell.ts';
import { usePageQuery } from '../lib/page-query.ts';
import { titledPage } from '../lib/page-title.tsx';
import { Redirect } from '../lib/redirect.tsx';
import { useProductName, useSession } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasswordSwitch } from '../ui/password-field.tsx';
import { stayingForm } from '../ui/staying-form.ts';

/** Signs users in. A user who is already signed in, in any tab, continues to the requested page. */
function LoginScreen() {
  const session = useSession();
  const productName = useProductName();
  const params = usePageQuery();
  const cont = params.get('cont');
  const signIn = useSignIn();
  const [socialFault, setSocialFault] = useState<string>();

  useEffect(() => {
    // The sign-in may continue through a link from the command line or an email, which lacks the requested page: the
    // tab's storage keeps it.
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
        New to {productName}? <DoorLink to={withContinuation('/signup', cont)}>Create an Account</DoorLink>
      </DoorFoot>
      <OperatorsWay productName={productName} />
    </Door>
  );
}

export default titledPage('Sign in', LoginScreen);

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

/** The operator's sign-in, which needs no account, email or password. */
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

interface SignInFormProps {
  isBusy: boolean;
  onSubmit: (input: { email: string; password: string }) => void;
}

/**
 * Email and password. If either is empty, nothing is sent and the first empty field keeps the focus. The fields have no
 * names: a browser that submits the page's form before the script runs would put them into the address.
 */
function SignInForm({ isBusy, onSubmit }: SignInFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isShown, setIsShown] = useState(false);
  const emailRef = useRef<HTMLInputElement>(null);
  const passwordRef = useRef<HTMLInputElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (email.trim() === '') emailRef.current?.focus();
    else if (password === '') passwordRef.current?.focus();
    else onSubmit({ email: email.trim(), password });
  };

  return (
    <form {...stayingForm} onSubmit={submit} aria-label="Sign in with email" className="grid grid-cols-1 gap-4">
      <TextField
        ref={emailRef}
        label="Email"
        type="email"
        autoComplete="username"
        maxLength={limits.emailCharactersMax}
        value={email}
        onValueChange={setEmail}
      />
      <TextField
        ref={passwordRef}
        label="Password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.passwordCharactersMax}
        value={password}
        onValueChange={setPassword}
        after={<span aria-hidden />}
        className="col-start-1 row-start-2"
      />
      <Button type="submit" look="action" isBusy={isBusy} className="row-start-3 w-full">
        Sign in
      </Button>
      {/* Shown beside the password, but after the button in tab order. */}
      <Link
        to="/auth/reset-password"
        className={`${doorLinkClasses} col-start-1 row-start-2 self-start justify-self-end text-sm`}
      >
        Forgot Password
      </Link>
      <PasswordSwitch
        isShown={isShown}
        onChange={setIsShown}
        className="relative col-start-1 row-start-2 mr-1 mb-1 self-end justify-self-end"
      />
    </form>
  );
}

interface TeamSignInProps {
  /** Called with the error message to show, or undefined to clear it. */
  onFault: (sentence: string | undefined) => void;
}

/** Sign-in through a team's provider: asks for the email address, whose domain selects the provider. */
function TeamSignIn({ onFault }: TeamSignInProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [email, setEmail] = useState('');
  const emailRef = useRef<HTMLInputElement>(null);
  const { waitingFor, begin } = useSignInPopup((outcome) => {
    if (outcome.type !== 'signed-in') onFault(sentenceOfEnd(outcome));
  });
  useEffect(() => {
    if (isOpen) emailRef.current?.focus();
  }, [isOpen]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === '') return emailRef.current?.focus();
    onFault(undefined);
    begin(`${signOnStartPath}?email=${encodeURIComponent(email.trim())}`);
  };

  if (!isOpen) {
    return (
      <Button className="w-full" onClick={() => setIsOpen(true)}>
        <Building2 aria-hidden className="size-4" />
        Continue with single sign-on
      </Button>
    );
  }
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label="Single sign-on"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <TextField
        ref={emailRef}
        label="Work email"
        type="email"
        autoComplete="username"
        hint="Its domain tells us your team's sign-in."
        maxLength={limits.emailCharactersMax}
        value={email}
        onValueChange={setEmail}
      />
      <div className="flex gap-2">
        <Button type="submit" look="action" isBusy={waitingFor !== undefined} className="flex-1">
          Continue
        </Button>
        <Button onClick={() => setIsOpen(false)}>Back</Button>
      </div>
    </form>
  );
}
