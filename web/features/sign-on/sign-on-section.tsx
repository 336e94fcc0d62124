import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { type SignOn, signOnEndpoints } from '#contract/sign-on.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { Fault } from '../../kit/fault.tsx';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Segments } from '../../ui/segments.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { signOnOptions } from './queries.ts';
import { SignOnState } from './sign-on-state.tsx';

/** A team's sign-in provider settings, for its admins. */
export function SignOnSection({ teamId }: { teamId: string }) {
  return (
    <SettingsSection
      id="sign-on"
      title="Single sign-on"
      about="People with an email address at your domain sign in with your provider (OpenID Connect) and join the team."
    >
      <Content teamId={teamId} />
    </SettingsSection>
  );
}

function Content({ teamId }: { teamId: string }) {
  const settings = useQuery(signOnOptions(teamId));
  const [isEditing, setIsEditing] = useState(false);
  if (settings.isPending) {
    return (
      <SettingsRow>
        <Loading label="Loading single sign-on…" className="flex flex-col gap-2">
          <Skeleton className="h-4 w-48" />
          <Skeleton className="h-4 w-72 max-w-full" />
        </Loading>
      </SettingsRow>
    );
  }
  if (settings.isError) {
    return (
      <SettingsRow>
        <RetryNotice query={settings} title="Couldn't load single sign-on" isSmall />
      </SettingsRow>
    );
  }
  const { signOn, redirectUri } = settings.data;
  if (isEditing) {
    return (
      <SettingsRow>
        <SignOnForm teamId={teamId} before={signOn} redirectUri={redirectUri} onClose={() => setIsEditing(false)} />
      </SettingsRow>
    );
  }
  if (signOn !== null) return <SignOnState teamId={teamId} signOn={signOn} onEdit={() => setIsEditing(true)} />;
  return (
    <SettingsRow className="flex flex-wrap items-center justify-between gap-4">
      <p className="min-w-0 flex-1 basis-64 text-soft">
        Not set up. Works with Okta, Entra, Google Workspace, Keycloak, Authentik and others.
      </p>
      <Button onClick={() => setIsEditing(true)}>Set up…</Button>
    </SettingsRow>
  );
}

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

/** Sets up or changes single sign-on. The server tests the provider before it stores anything. */
function SignOnForm({ teamId, before, redirectUri, onClose }: SignOnFormProps) {
  const [domain, setDomain] = useState(before?.domain ?? '');
  const [issuer, setIssuer] = useState(before?.issuer ?? '');
  const [clientId, setClientId] = useState(before?.clientId ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const [defaultRole, setDefaultRole] = useState<SignOn['defaultRole']>(before?.defaultRole ?? 'reader');
  const save = useAction(signOnEndpoints.setSignOn, {
    invalidates: ['signOn'],
    toast: () => 'Single sign-on saved',
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const secret = clientSecret === '' ? {} : { clientSecret };
    save.mutate({ teamId, domain, issuer, clientId, defaultRole, ...secret });
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
