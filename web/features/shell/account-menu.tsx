import { LogOut, Menu as MenuIcon } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import type { SessionUser } from '#contract/accounts.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { forgetFarewell, noteFarewell } from '../../lib/farewell.ts';
import { useSignOut } from '../../lib/session.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLink, MenuNote, MenuSeparator } from '../../ui/menu.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SiteIcon } from './site-icons.tsx';
import { destinationsFor } from './site-map.ts';

/** Returns the display name, or the email address of a user without one. */
function nameOf({ displayName, email }: SessionUser): string {
  return displayName || (email ?? 'You');
}

/** The user's menu: links on every page, and signing out. */
export function AccountMenu({ user }: { user: SessionUser }) {
  const signOut = useSignOut();
  const team = useSelectedTeam();
  const navigate = useNavigate();
  const toast = useToast();
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label={`Account of ${nameOf(user)}`} isBusy={signOut.isPending}>
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
        {destinationsFor('narrow', user, team).map(({ path, label }) => (
          <MenuLink key={path} icon={<SiteIcon path={path} />} render={<Link to={path} />}>
            {label}
          </MenuLink>
        ))}
        <MenuSeparator />
        {destinationsFor('menu', user, team).map(({ path, label }) => (
          <MenuLink key={path} icon={<SiteIcon path={path} />} render={<Link to={path} />}>
            {label}
          </MenuLink>
        ))}
        <MenuSeparator />
      </div>
      <MenuItem
        icon={LogOut}
        onSelect={() => {
          // Pages that redirect visitors to the sign-in screen may still be mounted when the session ends.
          noteFarewell('left');
          void Promise.resolve(navigate('/'))
            .then(() => signOut.mutateAsync())
            .catch((error: unknown) => {
              forgetFarewell();
              toast({
                message: `You are still signed in. ${sentenceForPeople(error)}`,
                tone: 'bad',
                durationMs: 5_000,
              });
            });
        }}
        label="Sign out"
      />
    </Menu>
  );
}
