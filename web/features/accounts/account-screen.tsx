import { useQuery } from '@tanstack/react-query';
import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { useProductName, useSession } from '../../lib/session.ts';
import { useDebugSetting } from '../../ui/debug-setting.ts';
import { useLocalCacheSetting } from '../../ui/local-cache-setting.ts';
import { useScrollToTop } from '../../ui/scroll-to-top.tsx';
import { Segments } from '../../ui/segments.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useTheme } from '../../ui/theme.ts';
import { DataSection } from './data-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { accountDetailsOptions, useUpdateConsent } from './queries.ts';
import { SessionsSection } from './sessions-section.tsx';
import { SignInMethodsSection } from './sign-in-methods-section.tsx';

interface AccountScreenProps {
  /** Applications that act for this user; a separate feature, passed in by the route. */
  connectedApplications: ReactNode;
  /** The user's plan and payments; also passed in by the route. */
  billing: ReactNode;
}

/** Settings of the user's account and of this browser. */
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

/** Consent to email updates. */
function UpdatesSection() {
  const productName = useProductName();
  const details = useQuery(accountDetailsOptions);
  const update = useUpdateConsent();
  const tellFault = useFaultToast();
  // The sign-in methods show this call's error with a retry.
  if (details.isError) return null;
  return (
    <SettingsSection id="updates" title="Updates by email">
      <SettingsRow>
        {details.data ? (
          <Switch
            label={`I agree to receive updates about ${productName}. Unsubscribe any time.`}
            isOn={details.data.hasMarketingConsent}
            isBusy={update.isPending}
            onChange={(isOn) => update.mutate(isOn, { onError: tellFault })}
          />
        ) : (
          <Skeleton className="h-5 w-72 max-w-full" />
        )}
      </SettingsRow>
    </SettingsSection>
  );
}

const themes = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden className="size-3.5" /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden className="size-3.5" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden className="size-3.5" /> },
] as const;

const cacheSizes = [
  { value: 'off', label: 'Off' },
  { value: '1', label: '1 MB' },
  { value: '4', label: '4 MB' },
] as const;

/** Settings stored in this browser only. */
function PreferencesSection({ user }: { user: SessionUser }) {
  const [theme, setTheme] = useTheme();
  const [scrollToTop, setScrollToTop] = useScrollToTop();
  const [localCache, setLocalCache] = useLocalCacheSetting();
  const [debug, setDebug] = useDebugSetting();
  return (
    <SettingsSection id="preferences" title="This browser" about="Stored in this browser only.">
      <SettingsRow className="flex flex-wrap items-center justify-between gap-3">
        <span className="font-medium text-ink text-sm">Theme</span>
        <Segments label="Theme" value={theme} options={themes} onChange={setTheme} />
      </SettingsRow>
      <SettingsRow>
        <Switch
          label="Start each page at the top"
          hint="If off, a new page keeps your scroll position."
          isOn={scrollToTop === 'on'}
          onChange={(isOn) => setScrollToTop(isOn ? 'on' : 'off')}
        />
      </SettingsRow>
      <SettingsRow className="flex flex-wrap items-center justify-between gap-3">
        <span className="min-w-0">
          <span className="block font-medium text-ink text-sm">Cache data in this browser</span>
          <span className="block text-faint text-xs">
            Shows lists immediately on your next visit while they reload. Cleared when you sign out.
          </span>
        </span>
        <Segments label="Cache data in this browser" value={localCache} options={cacheSizes} onChange={setLocalCache} />
      </SettingsRow>
      {user.isOperator && (
        <SettingsRow>
          <Switch
            label="Show the debug box"
            hint="For operators: shows the feature-flag connection, your email and the flags in a corner of every page."
            isOn={debug === 'on'}
            onChange={(isOn) => setDebug(isOn ? 'on' : 'off')}
          />
        </SettingsRow>
      )}
    </SettingsSection>
  );
}
