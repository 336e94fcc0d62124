import { useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { loginPathFor } from '../lib/continuation.ts';
import { forgetFarewell, noteFarewell, readFarewell } from '../lib/farewell.ts';
import { readFirstView } from '../lib/first-view.ts';
import { PageTitle } from '../lib/page-title.tsx';
import { Redirect } from '../lib/redirect.tsx';
import { useSession } from '../lib/session.ts';
import { Loading, Skeleton } from '../ui/skeleton.tsx';

export const clientLoader = () => readFirstView();
export const shouldRevalidate = () => false;

/**
 * Shows its routes to signed-in users; sends others to the sign-in screen, which leads back afterwards. If the session
 * ended meanwhile, for example in another tab, the screen says so; a user who signed out here goes to the home page.
 */
export default function SignedIn() {
  const session = useSession();
  const location = useLocation();
  const isSignedIn = session.data && session.data.user !== null;
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (isSignedIn && !wasSignedIn) setWasSignedIn(true);
  useEffect(() => {
    if (isSignedIn) forgetFarewell();
    else if (isSignedIn === false && wasSignedIn) noteFarewell('signed-out');
  }, [isSignedIn, wasSignedIn]);
  if (isSignedIn) return <Outlet />;
  if (session.data) return <Redirect to={wasSignedIn && readFarewell() === 'left' ? '/' : loginPathFor(location)} />;
  if (session.isError) {
    return (
      <div className="page flex flex-col gap-5 py-10">
        <PageTitle page="Not connected" />
        <h1 className="heading-page">Couldn't load your session</h1>
        <RetryNotice query={session} />
      </div>
    );
  }
  return (
    <Loading label="Loading…" className="page flex min-h-[calc(100dvh-3.5rem)] flex-col gap-4 py-10">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-4 w-80 max-w-full" />
      <Skeleton className="mt-4 h-40 w-full" />
    </Loading>
  );
}
