import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useProductName, useSession } from '../../lib/session.ts';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DataSection } from './data-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PreferencesSection } from './preferences-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { accountDetailsOptions, useUpdateConsent } from './queries.ts';
import { SessionsSection } from './sessions-section.tsx';
import { SignInMethodsSection } from './sign-in-methods-section.tsx';

interface AccountScreenProps {
  /** Applications that act for this person; a feature of its own, put here by the route. */
  connectedApplications: ReactNode;
  /** The person's plan and payments; likewise. */
  billing: ReactNode;
}

/** Everything about one's account and this browser. */
export function AccountScreen({ connectedApplications, billing }: AccountScreenProps) {
  const user = useSession().data?.user;
  if (!user) return null;
  return (
    <div className="page flex flex-col gap-9 py-10">
      <div>
        <h1 className="heading-page">Account</h1>
        <p className="mt-1 text-soft">Your profile, sign-in methods, plan, and this browser's settings.</p>
      </div>
      <div className="flex flex-col">
        <ProfileSection user={user} />
        <SignInMethodsSection user={user} />
        {user.email !== null && <PasswordSection user={user} />}
        {billing}
        <SessionsSection />
        {connectedApplications}
        {user.email !== null && <UpdatesSection />}
        <PreferencesSection user={user} />
        <DataSection user={user} />
      </div>
    </div>
  );
}

/** The consent to updates by mail. */
function UpdatesSection() {
  const productName = useProductName();
  const details = useQuery(accountDetailsOptions);
  const update = useUpdateConsent();
  const toast = useToast();
  // Its error is shown, with a retry, among the sign-in methods, which the same call feeds.
  if (details.isError) return null;
  return (
    <SettingsSection id="updates" title="Updates by email">
      <SettingsRow>
        {details.data ? (
          <Switch
            label={`I agree to receive updates about ${productName}. Unsubscribe any time.`}
            isOn={details.data.hasMarketingConsent}
            isBusy={update.isPending}
            onChange={(isOn) =>
              update.mutate(isOn, {
                onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 }),
              })
            }
          />
        ) : (
          <Skeleton className="h-5 w-72 max-w-full" />
        )}
      </SettingsRow>
    </SettingsSection>
  );
}
