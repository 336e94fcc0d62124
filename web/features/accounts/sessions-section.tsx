import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { identityEndpoints, type SessionEntry } from '#contract/identity.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { sessionsOptions } from './queries.ts';

/** Browsers in which the user is signed in. */
export function SessionsSection() {
  return (
    <SettingsSection
      id="sessions"
      title="Sessions"
      about="Browsers where you're signed in. Sign out any you don't recognize, then change your password."
    >
      <Sessions />
    </SettingsSection>
  );
}

function Sessions() {
  const sessions = useQuery(sessionsOptions);
  if (sessions.data) return sessions.data.map((session) => <SessionRow key={session.id} session={session} />);
  if (sessions.isError) {
    return (
      <SettingsRow>
        <RetryNotice query={sessions} title="Couldn't load your sessions" isSmall />
      </SettingsRow>
    );
  }
  return (
    <SettingsRow>
      <Loading label="Loading sessions…" className="flex items-center gap-4">
        <Skeleton className="size-5" />
        <Skeleton className="h-4 w-44" />
        <Skeleton className="ml-auto h-4 w-16" />
      </Loading>
    </SettingsRow>
  );
}

function SessionRow({ session }: { session: SessionEntry }) {
  const name = nameOfUserAgent(session.userAgent);
  const end = useAction(identityEndpoints.endSession, {
    invalidates: ['sessions'],
    toast: () => `${name} signed out`,
  });
  const tellFault = useFaultToast();
  const Icon = /iPhone|iPad|Android/.test(session.userAgent) ? Smartphone : Monitor;
  return (
    <SettingsRow className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Icon aria-hidden className="size-5 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium text-ink text-sm">
          {name}
          {session.isThisOne && <Badge tone="good">This browser</Badge>}
        </p>
        <p className="mt-0.5 text-faint text-xs">
          Last seen <RelativeTime at={session.lastSeenAt} />, signed in <RelativeTime at={session.createdAt} />
        </p>
      </div>
      {!session.isThisOne && (
        <Button
          size="sm"
          aria-label={`Sign out ${name}`}
          isBusy={end.isPending}
          onClick={() => end.mutate({ sessionId: session.id }, { onError: tellFault })}
        >
          Sign out
        </Button>
      )}
    </SettingsRow>
  );
}

const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
] as const;

const systems = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** Returns a recognisable name for a user agent, such as 'Firefox on Linux'. Unknown components are left out. */
export function nameOfUserAgent(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return system === undefined ? 'Unknown browser' : `A browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
