import { LogOut, Menu as MenuIcon, Search } from 'lucide-react';
import { Link, NavLink, useLocation, useNavigate } from 'react-router';
import type { SessionUser } from '#contract/accounts.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useProductName, useSession, useSignOut } from '../../lib/session.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { Menu, MenuItem, MenuLink, MenuNote, MenuSeparator } from '../../ui/menu.tsx';
import { ThemeMenu } from '../../ui/theme-menu.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useOutsideLinks } from './outside-links.ts';
import { destinationsFor } from './site-map.tsx';

export function Header({ onOpenPalette }: { onOpenPalette: () => void }) {
  const productName = useProductName();
  const session = useSession();
  const user = session.data?.user ?? null;
  const team = useSelectedTeam();
  const pages = session.data ? destinationsFor('header', user, team) : [];
  const outside = useOutsideLinks(['docs']);
  return (
    <header className="sticky top-0 z-20 border-line border-b bg-canvas/90 backdrop-blur-sm">
      <div className="frame flex h-14 items-center gap-2">
        <Link
          to="/"
          className="-ml-1.5 flex items-center gap-2 rounded-md px-1.5 py-1"
          aria-label={`${productName}, home`}
        >
          <BrandMark className="size-6" />
          <span className="font-display font-semibold text-lg tracking-tight">{productName}</span>
        </Link>
        {(pages.length > 0 || outside.length > 0) && (
          <nav aria-label="Main" className="ml-2 flex items-center gap-0.5 md:ml-4">
            {pages.map(({ path, label, shortLabel }) => (
              <NavLink key={path} to={path} className={(state) => navLinkClasses(state, shortLabel !== undefined)}>
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
            {outside.map(({ label, href }) => (
              <a key={label} href={href} className={navLinkClasses({ isActive: false }, false)}>
                {label}
              </a>
            ))}
          </nav>
        )}
        <div className="ml-auto flex items-center gap-1.5">
          {user && <PaletteButton onOpen={onOpenPalette} />}
          <ThemeMenu />
          {user && <AccountMenu user={user} />}
          {session.data && !user && <SignInLink />}
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

function SignInLink() {
  const { pathname, search } = useLocation();
  if (pathname === '/login') return null;
  const cont =
    pathname === '/' || pathname.startsWith('/sign-in') ? '' : `?cont=${encodeURIComponent(pathname + search)}`;
  return (
    <Link to={`/login${cont}`} className={buttonClasses('plain', 'sm')}>
      Sign in
    </Link>
  );
}

/** What to call somebody who has not said how they are called. */
function nameOf({ displayName, email }: SessionUser): string {
  return displayName || (email ?? 'You');
}

function AccountMenu({ user }: { user: SessionUser }) {
  const signOut = useSignOut();
  const team = useSelectedTeam();
  const navigate = useNavigate();
  const toast = useToast();
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label={`Account of ${nameOf(user)}`}>
          <MenuIcon aria-hidden className="size-4 md:hidden" />
          <span
            aria-hidden
            className="hidden size-7 items-center justify-center rounded-full bg-lamp-ground font-semibold text-lamp text-xs ring-1 ring-lamp-line md:flex"
          >
            {nameOf(user).slice(0, 1).toUpperCase()}
          </span>
        </Button>
      }
    >
      <MenuNote>
        <span className="block font-medium text-ink text-sm">{nameOf(user)}</span>
        {user.email ?? (user.isOperator ? 'Operator of this installation' : 'Signed in')}
      </MenuNote>
      <MenuSeparator />
      <div className="md:hidden">
        {destinationsFor('menu', user, team).map(({ path, label, icon }) => (
          <MenuLink key={path} icon={icon} render={<Link to={path} />}>
            {label}
          </MenuLink>
        ))}
        <MenuSeparator />
      </div>
      <MenuItem
        icon={<LogOut aria-hidden className="size-4" />}
        onSelect={() =>
          void signOut.mutateAsync().then(
            // This menu is gone by then, with the person it belonged to.
            () => void navigate('/'),
            (error: unknown) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 }),
          )
        }
      >
        Sign out
      </MenuItem>
    </Menu>
  );
}
