import { Menu as MenuIcon, Search, X } from 'lucide-react';
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useProductName, useSession } from '../../lib/session.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { ThemeMenu } from '../../ui/theme-menu.tsx';
import { expectPalette } from './lazy-palette.tsx';
import { useDocsLink } from './outside-links.ts';
import { destinationsFor } from './site-map.ts';

// Loaded only for signed-in users.
const AccountMenu = lazy(() => import('./account-menu.tsx').then((part) => ({ default: part.AccountMenu })));

export function Header({ onOpenPalette }: { onOpenPalette: () => void }) {
  const productName = useProductName();
  const session = useSession();
  const user = session.data?.user ?? null;
  const team = useSelectedTeam();
  // Until the session is known, and without scripts, the header is a visitor's.
  const isKnown = session.data !== undefined;
  const pages = destinationsFor('header', user, team);
  const docs = useDocsLink();
  return (
    <header className="sticky top-0 z-20 border-line border-b bg-canvas/90 backdrop-blur-sm">
      <div className="frame flex h-14 items-center gap-2">
        <Link
          to="/"
          className="-ml-1.5 flex min-w-0 items-center gap-2 rounded-md px-1.5 py-1"
          aria-label={`${productName}, home`}
        >
          <BrandMark className="size-6 shrink-0" />
          <span className="truncate font-display font-semibold text-lg tracking-tight max-[22rem]:hidden">
            {productName}
          </span>
        </Link>
        <nav aria-label="Main" className="ml-2 flex items-center gap-0.5 md:ml-4">
          {docs !== undefined && (
            <a href={docs} className={navLinkClasses({ isActive: false }, false)}>
              Docs
            </a>
          )}
          {pages.map(({ path, label, shortLabel, audience }) => (
            <NavLink
              key={path}
              to={path}
              className={(state) =>
                classNames(
                  audience === 'visitors'
                    ? classNames(buttonClasses('action', 'sm'), 'ml-1.5')
                    : navLinkClasses(state, shortLabel !== undefined),
                  !isKnown && audience !== 'everybody' && 'until-known',
                )
              }
            >
              {shortLabel === undefined ? (
                label
              ) : (
                <>
                  <span className="md:hidden">{shortLabel}</span>
                  <span className="max-md:hidden">{label}</span>
                </>
              )}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1.5">
          {user && <PaletteButton onOpen={onOpenPalette} />}
          <ThemeMenu />
          {user && (
            <Suspense fallback={<span className="size-9" />}>
              <AccountMenu user={user} />
            </Suspense>
          )}
          {!user && <SignInLink isKnown={isKnown} />}
          {!user && (
            <NarrowMenu>
              <ul>
                {docs !== undefined && (
                  <li>
                    <a href={docs} className={narrowLinkClasses}>
                      Docs
                    </a>
                  </li>
                )}
                {destinationsFor('narrow', user, team).map(({ path, label }) => (
                  <li key={path}>
                    <Link to={path} className={narrowLinkClasses}>
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </NarrowMenu>
          )}
        </div>
      </div>
    </header>
  );
}

function navLinkClasses({ isActive }: { isActive: boolean }, isOnNarrowScreens: boolean): string {
  return classNames(
    isOnNarrowScreens ? 'flex' : 'hidden md:flex',
    'h-8 items-center rounded-md px-2.5 font-medium text-sm transition-colors duration-100',
    isActive ? 'bg-hover text-ink' : 'text-soft hover:bg-hover hover:text-ink',
  );
}

function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      <button
        type="button"
        onClick={onOpen}
        onPointerEnter={expectPalette}
        onFocus={expectPalette}
        aria-keyshortcuts="Meta+K Control+K"
        className="hidden h-8 items-center gap-2 rounded-md border border-line-strong bg-surface pr-1.5 pl-2.5 text-faint text-sm shadow-sm hover:bg-hover hover:text-soft md:flex"
      >
        <Search aria-hidden className="size-3.5" />
        Go to…
        <span aria-hidden className="ml-3 flex gap-0.5">
          <Kbd>{/Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <Button look="quiet" size="icon" className="md:hidden" aria-label="Go to…" onClick={onOpen}>
        <Search aria-hidden className="size-4" />
      </Button>
    </>
  );
}

const narrowLinkClasses =
  'flex min-h-11 items-center border-line border-b font-medium text-ink text-md in-[li:last-child]:border-0';

function SignInLink({ isKnown }: { isKnown: boolean }) {
  const location = useLocation();
  // Prerendered pages' paths end in a slash.
  const pathname = location.pathname.replace(/(.)\/$/, '$1');
  if (pathname === '/login') return null;
  const cont =
    pathname === '/' || pathname.startsWith('/sign-in')
      ? ''
      : `?cont=${encodeURIComponent(pathname + location.search)}`;
  return (
    <Link to={`/login${cont}`} className={classNames(buttonClasses('plain', 'sm'), !isKnown && 'until-known')}>
      Sign in
    </Link>
  );
}

/**
 * The visitors' menu on narrow screens, with the links that do not fit in the header. It opens without scripts; with
 * scripts, it also closes on Escape, when it loses the focus, and on navigation.
 */
function NarrowMenu({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const ref = useRef<HTMLDetailsElement>(null);
  const shown = useRef(pathname);
  const shut = () => ref.current?.removeAttribute('open');
  useEffect(() => {
    // It may have been opened before scripts ran, and stays open on that page.
    if (shown.current === pathname) return;
    shown.current = pathname;
    shut();
  }, [pathname]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !ref.current?.open) return;
    shut();
    ref.current.querySelector('summary')?.focus();
  };
  return (
    <details
      ref={ref}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) shut();
      }}
      className="group md:hidden"
    >
      <summary
        aria-label="Menu"
        className="flex size-8 list-none items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink [&::-webkit-details-marker]:hidden"
      >
        <MenuIcon aria-hidden className="size-4 group-open:hidden" />
        <X aria-hidden className="hidden size-4 group-open:block" />
      </summary>
      <nav
        aria-label="More pages"
        className="absolute inset-x-0 top-14 border-line border-b bg-canvas px-5 py-2 shadow-lg"
      >
        {children}
      </nav>
    </details>
  );
}
