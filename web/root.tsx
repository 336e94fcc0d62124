import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Links, Outlet, Scripts, useLocation, useMatches } from 'react-router';
import './app.css';
import { VerificationBanner } from './features/accounts/verification-banner.tsx';
import { Footer } from './features/shell/footer.tsx';
import { Header } from './features/shell/header.tsx';
import { KeptPage } from './features/shell/kept-page.ts';
import { LazyPalette } from './features/shell/lazy-palette.tsx';
import { LoadFailure } from './features/shell/load-failure.tsx';
import { Openings } from './features/shell/openings.tsx';
import { TeamParameter } from './features/shell/team-parameter.tsx';
import { reportFault, reportUncaught } from './lib/error-reports.ts';
import { installation } from './lib/installation.ts';
import { useForgetKept } from './lib/kept-storage.ts';
import { pageClient } from './lib/query-client.ts';
import { useSession, useSessionSync } from './lib/session.ts';
import { signedInScript } from './lib/signed-in-note.ts';
import { useTellStarted } from './lib/started.ts';
import { BrandMark } from './ui/brand-mark.tsx';
import { ScrollToTop } from './ui/scroll-to-top.tsx';
import { themeScript } from './ui/theme.ts';
import { ToastProvider } from './ui/toast.tsx';

// For signed-in users: visitors of public pages do not need this code.
const SignedInFrame = lazy(() =>
  import('./features/shell/signed-in-frame.tsx').then((part) => ({ default: part.SignedInFrame })),
);

export function Layout({ children }: { children: ReactNode }) {
  const { productName, address, stdio } = installation();
  const [program, ...programArguments] = stdio;
  return (
    // The inline script may have set data-theme and data-signed-in before hydration.
    <html
      lang="en"
      data-product-name={productName}
      data-public-address={address}
      data-program={program}
      data-program-arguments={JSON.stringify(programArguments)}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="application-name" content={productName} />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f8fbf8" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b110e" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <script dangerouslySetInnerHTML={{ __html: themeScript + signedInScript }} />
        <Links />
      </head>
      <body>
        {children}
        <ScrollToTop />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  const [queryClient] = useState(pageClient);
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  useFocusOnNavigation();
  useSessionSync();
  useEffect(reportUncaught, []);
  useTellStarted();
  const session = useSession().data;
  const user = session?.user ?? undefined;
  useForgetKept(session?.user === null);
  // The console has navigation beside its main part, so it sets that itself.
  const hasOwnMain = useMatches().some(({ id }) => id === 'routes/console') && session !== undefined;
  const Main = hasOwnMain ? 'div' : 'main';
  return (
    <ToastProvider isExpected={user !== undefined}>
      <div className="isolate flex min-h-dvh flex-col">
        <a
          href="#main"
          className="sr-only z-50 rounded-md bg-action px-3 py-2 text-on-action focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          Skip to content
        </a>
        <Header onOpenPalette={() => setIsPaletteOpen(true)} />
        {user && <VerificationBanner />}
        <Main {...(hasOwnMain ? {} : { id: 'main', tabIndex: -1 })} className="flex flex-1 flex-col outline-none">
          <TeamParameter guardRouteId="routes/signed-in">
            <Outlet />
          </TeamParameter>
        </Main>
        <Footer />
        {user && (
          <Suspense>
            <SignedInFrame user={user} />
          </Suspense>
        )}
        <KeptPage />
        <LazyPalette isOpen={isPaletteOpen} onOpenChange={setIsPaletteOpen} />
      </div>
    </ToastProvider>
  );
}

/** Moves the focus into the new page, unless the page, or a dialog over it, has already taken it. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.activeElement?.closest('#main, dialog, [role="dialog"]')) return;
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  }, [pathname]);
}

/** Shown until the scripts have loaded, on pages that are not prerendered. */
export function HydrateFallback() {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{installation().productName}</title>
      <header className="border-line border-b">
        <div className="frame flex h-14 items-center gap-2">
          <BrandMark className="size-6" />
          <span className="font-display font-semibold text-lg tracking-tight">{installation().productName}</span>
        </div>
      </header>
      <main className="flex flex-1 flex-col">
        <Openings />
      </main>
      <noscript>
        <p className="page py-16">This page needs JavaScript. The command line and the MCP server work without it.</p>
      </noscript>
    </div>
  );
}

export function ErrorBoundary({ error }: { error: unknown }) {
  useEffect(() => reportFault(error), [error]);
  return <LoadFailure error={error} />;
}
