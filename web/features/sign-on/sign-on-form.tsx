import { type FormEvent, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { SignOn } from '#contract/sign-on.ts';
import { Fault } from '../../kit/fault.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Segments } from '../../ui/segments.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useSetSignOn } from './queries.ts';

interface SignOnFormProps {
  teamId: string;
  before: SignOn | null;
  redirectUri: string;
  onClose: () => void;
}

const roles = [
  { value: 'reader', label: 'Reader' },
  { value: 'writer', label: 'Writer' },
] as const;

/** Sets single sign-on up or changes it. The server tries the provider before anything is kept. */
export function SignOnForm({ teamId, before, redirectUri, onClose }: SignOnFormProps) {
  const [domain, setDomain] = useState(before?.domain ?? '');
  const [issuer, setIssuer] = useState(before?.issuer ?? '');
  const [clientId, setClientId] = useState(before?.clientId ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const [defaultRole, setDefaultRole] = useState<SignOn['defaultRole']>(before?.defaultRole ?? 'reader');
  const save = useSetSignOn(teamId);
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const secret = clientSecret === '' ? {} : { clientSecret };
    save.mutateAsync({ domain, issuer, clientId, defaultRole, ...secret }).then(
      () => {
        toast({ message: 'Single sign-on saved' });
        onClose();
      },
      // Told in the form.
      () => undefined,
    );
  };
  const isSameClient = before !== null && before.issuer === issuer.trim() && before.clientId === clientId.trim();
  return (
    <form onSubmit={submit} noValidate aria-label="Single sign-on" className="flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <p className="text-soft text-sm">Register a web application with your provider, using this redirect address:</p>
        <CodeBlock code={redirectUri} label="Redirect address" />
      </div>
      <TextField
        label="Issuer"
        autoFocus
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://id.example.org"
        hint="Your provider's issuer address, from its settings."
        maxLength={limits.urlCharactersMax}
        value={issuer}
        onValueChange={setIssuer}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Client ID"
          autoComplete="off"
          spellCheck={false}
          value={clientId}
          onValueChange={setClientId}
        />
        <PasswordField
          label="Client secret"
          autoComplete="off"
          hint={isSameClient ? 'Leave empty to keep the current one.' : undefined}
          value={clientSecret}
          onValueChange={setClientSecret}
        />
      </div>
      <TextField
        label="Domain"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="example.org"
        hint="The part of your email addresses after the @. Next, you prove that you own it."
        maxLength={253}
        value={domain}
        onValueChange={setDomain}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-medium text-ink text-sm">Default role for new members</span>
        <Segments label="Default role for new members" value={defaultRole} options={roles} onChange={setDefaultRole} />
      </div>
      <Fault error={save.error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="action" isBusy={save.isPending}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
