import { MailCheck } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSignUpForConf } from './queries.ts';

/** Asks for the mail that puts an address on the list. */
export function SignUpForm() {
  const [email, setEmail] = useState('');
  const emailRef = useRef<HTMLInputElement>(null);
  const signUp = useSignUpForConf();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (signUp.isPending) return;
    // What stands in the field: it may have been typed before this program ran.
    const typed = emailRef.current?.value.trim() ?? '';
    if (typed === '') emailRef.current?.focus();
    else signUp.mutate(typed);
  };
  if (signUp.isSuccess) {
    return (
      <div role="status" className="flex gap-3 text-base text-soft">
        <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-lamp" />
        <div>
          <p className="font-medium text-ink text-md">Check your email</p>
          <p className="wrap-anywhere mt-1">A link is on its way to {signUp.variables}. Open it to join the list.</p>
        </div>
      </div>
    );
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Sign up for the conference" className="flex flex-col gap-3">
      <TextField
        ref={emailRef}
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={limits.emailCharactersMax}
        value={email}
        onValueChange={setEmail}
      />
      {signUp.error && <Notice tone="bad">{sentenceForPeople(signUp.error)}</Notice>}
      <Button type="submit" look="action" isBusy={signUp.isPending}>
        Sign up
      </Button>
      <p className="text-faint text-xs">
        Used for mails about this conference alone; each has a link that erases it. Signing up needs JavaScript.
      </p>
    </form>
  );
}
