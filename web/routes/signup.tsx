import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { paidTiers } from '#contract/billing.ts';
import { callables } from '#contract/callables.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { identityTexts, signInMessageOf } from '#contract/identity-texts.ts';
import * as limits from '#contract/limits.ts';
import { plans } from '#contract/plans.ts';
import { Door, DoorFault, DoorFoot, DoorLink, OutboxNote } from '../features/accounts/door.tsx';
import { faultOfSignUp } from '../features/accounts/new-password.ts';
import { signInMethodsOptions } from '../features/accounts/queries.ts';
import { OrDivider, SocialSignIn, useHasSocialSignIn } from '../features/accounts/social-sign-in.tsx';
import { callApi } from '../lib/api-client.ts';
import { ApiError } from '../lib/api-error.ts';
import { callFunction } from '../lib/call-function.ts';
import { destinationDefault, safeContinuation, withContinuation } from '../lib/continuation.ts';
import { trackConversion } from '../lib/conversion.ts';
import { invitedSignUp } from '../lib/invited-sign-up.ts';
import { usePageQuery } from '../lib/page-query.ts';
import { titledPage } from '../lib/page-title.tsx';
import { Redirect } from '../lib/redirect.tsx';
import { useAdoptUser, useProductName, useSession } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { stayingForm } from '../ui/staying-form.ts';

/** Creates an account. A user who is already signed in continues to the requested page, as does everyone afterwards. */
function SignupScreen() {
  const session = useSession();
  const productName = useProductName();
  const params = usePageQuery();
  const cont = params.get('cont');
  const invited = invitedSignUp(useLocation().state);
  const tier = paidTiers.find((paid) => paid.toLowerCase() === params.get('tier'));
  const subscription = tier === undefined ? null : `/subscribe?tier=${tier.toLowerCase()}`;
  const [hasConsent, setHasConsent] = useState(true);
  const [socialFault, setSocialFault] = useState<string>();
  const signUp = useSignUp();
  const hasSocialSignIn = useHasSocialSignIn();
  const methods = useQuery(signInMethodsOptions).data;

  if (session.data?.user) {
    const otherwise = subscription ?? destinationDefault;
    return <Redirect to={safeContinuation(cont, window.location.origin, otherwise)} />;
  }

  return (
    <Door
      title="Create an account"
      lead={
        invited === undefined
          ? `${productName} gives your coding agent the documentation it needs.`
          : `Then join the team ${invited.teamName}. The invitation is for ${invited.email}.`
      }
    >
      {tier !== undefined && (
        <Notice tone="info">
          You are signing up for the {tier} Plan (${plans[tier].usdPerMonth}/month). You will be redirected to complete
          the subscription.
        </Notice>
      )}
      <SocialSignIn
        onFault={(sentence) => {
          signUp.reset();
          setSocialFault(sentence);
        }}
        onNewAccount={() => void settleConsent(hasConsent)}
      />
      {hasSocialSignIn && <OrDivider />}
      <SignupForm
        email={invited?.email ?? ''}
        fault={socialFault ?? (signUp.error ? faultOf(signUp.error) : undefined)}
        isBusy={signUp.isPending}
        onSubmit={(input) => {
          setSocialFault(undefined);
          signUp.mutate({ ...input, hasConsent });
        }}
        consent={
          <Checkbox
            label={`I agree to receive updates about ${productName}. Unsubscribe any time.`}
            isChecked={hasConsent}
            onChange={setHasConsent}
          />
        }
      />
      {methods?.asksVerification && <OutboxNote purpose="that verifies your email" />}
      <DoorFoot>
        Have an account? <DoorLink to={withContinuation('/login', cont ?? subscription)}>Sign in</DoorLink>
      </DoorFoot>
    </Door>
  );
}

export default titledPage('Sign up', SignupScreen);

function faultOf(error: unknown): string {
  return signInMessageOf(error instanceof ApiError ? error.code : undefined, identityTexts.signUpFailed);
}

interface SignupFormProps {
  /** Initial value of the field. */
  email: string;
  fault: string | undefined;
  isBusy: boolean;
  consent: ReactNode;
  onSubmit: (input: { email: string; password: string; displayName?: string }) => void;
}

function SignupForm({ email, fault, isBusy, consent, onSubmit }: SignupFormProps) {
  const [form, setForm] = useState({ displayName: '', email, password: '', confirmation: '' });
  const [wrong, setWrong] = useState<ReturnType<typeof faultOfSignUp>>();
  const fields = {
    email: useRef<HTMLInputElement>(null),
    password: useRef<HTMLInputElement>(null),
    confirmation: useRef<HTMLInputElement>(null),
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = faultOfSignUp(form);
    setWrong(found);
    if (found) return fields[found.field].current?.focus();
    const displayName = form.displayName.trim();
    onSubmit({ email: form.email.trim(), password: form.password, ...(displayName === '' ? {} : { displayName }) });
  };
  const field = (name: 'email' | 'password' | 'confirmation') => ({
    ref: fields[name],
    value: form[name],
    error: wrong?.field === name ? wrong.sentence : undefined,
    onValueChange: (value: string) => {
      setForm((before) => ({ ...before, [name]: value }));
      setWrong(undefined);
    },
  });

  return (
    <form {...stayingForm} onSubmit={submit} aria-label="Sign up with email" className="flex flex-col gap-4">
      <TextField
        label="Name"
        hint="Optional. Shown to other users."
        autoComplete="name"
        maxLength={limits.displayNameCharactersMax}
        value={form.displayName}
        onValueChange={(displayName) => setForm((before) => ({ ...before, displayName }))}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        maxLength={limits.emailCharactersMax}
        {...field('email')}
      />
      <PasswordField
        label="Password"
        hint={`At least ${limits.passwordCharactersMin} characters.`}
        autoComplete="new-password"
        maxLength={limits.passwordCharactersMax}
        {...field('password')}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        maxLength={limits.passwordCharactersMax}
        {...field('confirmation')}
      />
      {consent}
      {fault !== undefined && <DoorFault>{fault}</DoorFault>}
      <Button type="submit" look="action" isBusy={isBusy} className="w-full">
        Create account
      </Button>
      <p className="text-faint text-xs">
        What we store and why: <DoorLink to="/privacy">privacy policy</DoorLink>.
      </p>
    </form>
  );
}

interface SignUpInput {
  email: string;
  password: string;
  displayName?: string;
  hasConsent: boolean;
}

/** Creates an account, then stores the consent; the updated session then redirects. */
function useSignUp() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: async ({ hasConsent, ...input }: SignUpInput) => {
      const answer = await callApi(identityEndpoints.signUpWithEmail, input);
      await settleConsent(hasConsent);
      return answer;
    },
    onSuccess: ({ user }) => adopt(user),
  });
}

/**
 * Stores the consent and reports the conversion after a sign-up. The account already exists, so a failure of either is
 * ignored; the consent can be given again in the account's settings.
 */
async function settleConsent(hasConsent: boolean): Promise<void> {
  await Promise.allSettled([
    callFunction(callables.updateMarketingConsent, { marketingConsent: hasConsent }),
    trackConversion(hasConsent),
  ]);
}
