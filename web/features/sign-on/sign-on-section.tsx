import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Button } from '../../ui/button.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { signOnOptions } from './queries.ts';
import { SignOnForm } from './sign-on-form.tsx';
import { SignOnState } from './sign-on-state.tsx';

/** Settings of a team, for its admins: the provider its people sign in at. */
export function SignOnSection({ teamId }: { teamId: string }) {
  return (
    <SettingsSection
      id="sign-on"
      title="Single sign-on"
      about="People with an email address of your domain sign in with your provider (OpenID Connect) and join the team."
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
        <Loading label="Loading single sign-on" className="flex flex-col gap-2">
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
