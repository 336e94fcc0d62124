import type { ReactNode } from 'react';
import { useSession } from '../../lib/session.ts';
import { DataSection } from './data-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PreferencesSection } from './preferences-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SignInMethodsSection } from './sign-in-methods-section.tsx';
import { UpdatesSection } from './updates-section.tsx';

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
    <div className="page flex max-w-5xl flex-col gap-9 py-10">
      <div>
        <h1 className="heading-page">Account</h1>
        <p className="mt-1 text-soft">Your profile, sign-in methods, plan, and settings of this browser.</p>
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
