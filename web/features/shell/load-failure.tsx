import { isRouteErrorResponse } from 'react-router';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Button } from '../../ui/button.tsx';

/**
 * Shown when the page itself failed. Most often a newer build has replaced the scripts that this page tried to load.
 */
export function LoadFailure({ error }: { error: unknown }) {
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <main className="page flex min-h-dvh flex-col items-start justify-center gap-4 py-16">
      <title>Something went wrong</title>
      <BrandMark className="size-9" />
      <h1 className="heading-page">{isMissing ? 'Page not found' : 'This page failed to load'}</h1>
      <p className="max-w-prose text-md text-soft">
        {isMissing
          ? 'The address is misspelled, or the page has moved.'
          : 'Reload it: the application may have been updated. Your data is safe.'}
      </p>
      <Button look="action" onClick={() => (isMissing ? window.location.assign('/') : window.location.reload())}>
        {isMissing ? 'Go to the home page' : 'Reload'}
      </Button>
    </main>
  );
}
