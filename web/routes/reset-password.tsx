import { useQuery } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';

import { identityEndpoints } from '#contract/identity.ts';
import { identityTexts, signInMessageOf } from '#contract/identity-texts.ts';
import * as limits from '#contract/limits.ts';
import { Door, DoorFault, DoorFoot, DoorLink, OutboxNote } from '../features/accounts/door.tsx';
import { useAction } from '../kit/endpoint-query.ts';
import { ApiError } from '../lib/api-error.ts';
import { titledPage } from '../lib/page-title.tsx';
import { siteOptions } from '../lib/site.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { keepFocusNearby } from '../ui/keep-focus.ts';
import { stayingForm } from '../ui/staying-form.ts';

/** Requests the email that resets a forgotten password. */
function ResetRequestScreen() {
  const sendReset = useAction(identityEndpoints.sendPasswordReset);
  const isOutbox = useQuery(siteOptions).data?.mailIsOutbox === true;
  useEffect(keepFocusNearby, []);
  if (sendReset.isSuccess) {
    return <Sent email={sendReset.variables.email} isOutbox={isOutbox} onOther={() => sendReset.reset()} />;
  }
  return (
    <Door title="Reset your password" lead={isOutbox ? undefined : "We'll email you a link to choose a new one."}>
      <RequestForm
        isBusy={sendReset.isPending}
        fault={
          sendReset.error
            ? signInMessageOf(
                sendReset.error instanceof ApiError ? sendReset.error.code : undefined,
                identityTexts.sendResetFailed,
              )
            : undefined
        }
        onSubmit={(email) => sendReset.mutate({ email })}
      />
      <OutboxNote purpose="to choose a new password" />
      <DoorFoot>
        <DoorLink to="/login">Back to sign in</DoorLink>
      </DoorFoot>
    </Door>
  );
}

export default titledPage('Reset password', ResetRequestScreen);

interface RequestFormProps {
  isBusy: boolean;
  fault: string | undefined;
  onSubmit: (email: string) => void;
}

function RequestForm({ isBusy, fault, onSubmit }: RequestFormProps) {
  const [email, setEmail] = useState('');
  const emailRef = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (email.trim() === '') emailRef.current?.focus();
    else onSubmit(email.trim());
  };
  return (
    <form {...stayingForm} onSubmit={submit} aria-label="Reset password" className="flex flex-col gap-4">
      <TextField
        ref={emailRef}
        label="Email"
        type="email"
        autoComplete="username"
        maxLength={limits.emailCharactersMax}
        value={email}
        onValueChange={setEmail}
      />
      {fault !== undefined && <DoorFault>{fault}</DoorFault>}
      <Button type="submit" look="action" isBusy={isBusy} className="w-full">
        Send reset email
      </Button>
    </form>
  );
}

function Sent({ email, isOutbox, onOther }: { email: string; isOutbox: boolean; onOther: () => void }) {
  return (
    <Door title={identityTexts.checkYourEmail}>
      <div role="status" className="flex gap-3">
        <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-lamp" />
        <p className="min-w-0">
          If there is an account for <span className="font-medium text-ink">{email}</span>, a link to choose a new
          password is {isOutbox ? 'with the operator' : 'on its way'}. It works once.
        </p>
      </div>
      <Button className="self-start" onClick={onOther}>
        Use another address
      </Button>
      <DoorFoot>
        <DoorLink to="/signin">Back to sign in</DoorLink>
      </DoorFoot>
    </Door>
  );
}
