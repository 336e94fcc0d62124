import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Links, Outlet, Scripts, useLocation } from 'react-router';
import './app.css';
import { limits } from '#contract/limits.ts';
import { VerificationBanner } from './features/accounts/verification-banner.tsx';
import { DebugBox } from './features/shell/debug-box.tsx';
import { Footer } from './features/shell/footer.tsx';
import { Header } from './features/shell/header.tsx';
import { LazyPalette } from './features/shell/lazy-palette.tsx';
import { LoadFailure } from './features/shell/load-failure.tsx';
import { TeamParameter } from './features/shell/team-parameter.tsx';
import { reportFault, reportUncaught } from './lib/error-reports.ts';
import { useLiveUpdates } from './lib/live/use-live-updates.ts';
import { useLocalCache } from './lib/local-cache.ts';
import { createQueryClient } from './lib/query-client.ts';
import { useSession, useSessionSync } from './lib/session.ts';
import { BrandMark } from './ui/brand-mark.tsx';
import { useLocalCacheSetting } from './ui/local-cache-setting.ts';
import { ScrollToTop } from './ui/scroll-to-top.tsx';
import { themeScript } from './ui/theme.ts';
import { ToastProvider } from './ui/toast.tsx';
import { TooltipProvider } from './ui/tooltip.tsx';

export function Layout({ children }: { children: ReactNode }) {
  return (
    // The inline script may have set data-theme before React looks.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />
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
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <CSPProvider disableStyleElements>
        <TooltipProvider delay={300}>
          <ToastProvider>
            <Frame />
          </ToastProvider>
        </TooltipProvider>
      </CSPProvider>
    </QueryClientProvider>
  );
}

function Frame() {
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  const mainRef = useFocusOnNavigation();
  useSessionSync();
  useEffect(reportUncaught, []);
  const session = useSession().data;
  const userId = session?.user?.uid;
  useLiveUpdates(userId);
  const [cacheMiB] = useLocalCacheSetting();
  useLocalCache(session && (userId ?? null), cacheMiB === 'off' ? 0 : Number(cacheMiB) * limits.localCacheBytesMin);
  return (
    <div className="isolate flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-action px-3 py-2 text-on-action focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Header onOpenPalette={() => setIsPaletteOpen(true)} />
      <VerificationBanner />
      <main id="main" ref={mainRef} tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <TeamParameter guardRouteId="routes/signed-in">
          <Outlet />
        </TeamParameter>
      </main>
      <Footer />
      <DebugBox />
      <LazyPalette isExpected={userId !== undefined} isOpen={isPaletteOpen} onOpenChange={setIsPaletteOpen} />
    </div>
  );
}

/** Moves the document's focus into the new page, unless the page, or a dialog over it, has already taken it. */
function useFocusOnNavigation() {
  const { pathname } = useLocation();
  const mainRef = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const { activeElement } = document;
    if (mainRef.current?.contains(activeElement) || activeElement?.closest('[role="dialog"], [role="alertdialog"]'))
      return;
    mainRef.current?.focus({ preventScroll: true });
  }, [pathname]);
  return mainRef;
}

/** What stands on the page until the program has loaded, for pages that are not written at build time. */
export function HydrateFallback() {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{__PRODUCT_NAME__}</title>
      <div className="border-line border-b">
        <div className="page flex h-14 items-center">
          <BrandMark className="size-6" />
        </div>
      </div>
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
