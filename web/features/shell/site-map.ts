import type { SessionUser } from '#contract/accounts.ts';
import type { SelectedTeam } from '../../lib/team-queries.ts';

/**
 * `narrow`: the menu of a narrow screen, for links that do not fit in the header. `product`, `learn`, `installation`:
 * sections of the footer.
 */
type Place = 'header' | 'narrow' | 'console' | 'menu' | 'palette' | 'notFound' | 'product' | 'learn' | 'installation';
/** `members`, `admins`: of the selected team. */
type Audience = 'everybody' | 'visitors' | 'people' | 'operators' | 'members' | 'admins';

export interface Destination {
  path: string;
  label: string;
  /** Label in the header of a narrow screen; destinations without one are in that screen's menu. */
  shortLabel?: string;
  /** Search terms in the palette. */
  keywords: string;
  audience: Audience;
  places: readonly Place[];
}

/** All pages that header, menus, footer and palette link to, in order. Pages without a route are not listed. */
export const destinations: readonly Destination[] = [
  {
    path: '/',
    label: 'Home',
    keywords: 'start about',
    audience: 'everybody',
    places: ['palette', 'notFound', 'product'],
  },
  {
    path: '/docs',
    label: 'Docs',
    keywords: 'documentation guide operate errors reference help',
    audience: 'everybody',
    places: ['palette', 'notFound'],
  },
  {
    path: '/mcp',
    label: 'MCP',
    keywords: 'connect agent client configuration tools prompts',
    audience: 'everybody',
    places: ['header', 'narrow', 'palette', 'notFound', 'product'],
  },
  {
    path: '/blog',
    label: 'Blog',
    keywords: 'posts articles figures feed',
    audience: 'everybody',
    places: ['header', 'narrow', 'palette', 'notFound', 'learn'],
  },
  {
    path: '/use-case/turbopuffer',
    label: 'Use case: turbopuffer',
    keywords: 'vector database documentation example',
    audience: 'everybody',
    places: ['palette', 'learn'],
  },
  {
    path: '/use-case/rime',
    label: 'Use case: Rime',
    keywords: 'text to speech documentation example',
    audience: 'everybody',
    places: ['palette', 'learn'],
  },
  {
    path: '/conf',
    label: 'Conference',
    keywords: 'gathering talks speakers programme sign up',
    audience: 'everybody',
    places: ['palette', 'learn'],
  },
  {
    path: '/status',
    label: 'Status',
    keywords: 'health uptime latency incidents',
    audience: 'everybody',
    places: ['palette', 'installation', 'notFound'],
  },
  {
    path: '/privacy',
    label: 'Privacy',
    keywords: 'policy data stored erase export',
    audience: 'everybody',
    places: ['palette', 'installation'],
  },
  {
    path: '/dashboard',
    label: 'Dashboard',
    shortLabel: 'dash',
    keywords: 'overview console start',
    audience: 'people',
    places: ['header', 'console', 'menu', 'palette', 'notFound'],
  },
  {
    path: '/welcome',
    label: 'Setup',
    keywords: 'welcome onboarding first steps connect agent source start',
    audience: 'people',
    places: ['palette'],
  },
  {
    path: '/search',
    label: 'Search',
    keywords: 'find documentation ask query',
    audience: 'people',
    places: ['console', 'menu', 'palette'],
  },
  {
    path: '/chat',
    label: 'Chat',
    keywords: 'ask question answer documentation conversation',
    audience: 'everybody',
    places: ['console', 'menu', 'product', 'palette'],
  },
  {
    path: '/resources',
    label: 'Resources',
    keywords: 'modules sources jobs index add crawl',
    audience: 'people',
    places: ['console', 'menu', 'palette'],
  },
  {
    path: '/activity',
    label: 'Activity',
    keywords: 'credits transactions usage history ledger export csv tokens saved',
    audience: 'people',
    places: ['console', 'menu', 'palette'],
  },
  {
    path: '/keys',
    label: 'API Keys',
    keywords: 'mcp connect agent token setup',
    audience: 'people',
    places: ['console', 'menu', 'palette'],
  },
  {
    path: '/install',
    label: 'Install',
    keywords: 'connect agent editor cursor claude code mcp setup test connection rules',
    audience: 'people',
    places: ['console', 'menu', 'palette'],
  },
  {
    path: '/team',
    label: 'Team',
    keywords: 'members roles invites seats rename leave delete audit log settings',
    audience: 'members',
    places: ['console', 'menu', 'palette'],
  },
  {
    path: '/add-members',
    label: 'Add members',
    keywords: 'invite people team email',
    audience: 'admins',
    places: ['palette'],
  },
  {
    path: '/team-manage-seats',
    label: 'Team seats',
    keywords: 'seats paid give take members billing',
    audience: 'admins',
    places: ['palette'],
  },
  {
    path: '/upgrade-team',
    label: 'Team plan',
    keywords: 'upgrade team plan subscribe seats price billing',
    audience: 'admins',
    places: ['palette'],
  },
  {
    path: '/create-team',
    label: 'Create team',
    keywords: 'new team found organisation workspace',
    audience: 'people',
    places: ['palette'],
  },
  {
    path: '/account',
    label: 'Account',
    keywords: 'profile password sessions settings theme delete email',
    audience: 'people',
    places: ['console', 'menu', 'palette'],
  },
  {
    path: '/outbox',
    label: 'Outbox',
    keywords: 'email sent verify',
    audience: 'operators',
    places: ['console', 'menu', 'palette'],
  },
  {
    path: '/console/people',
    label: 'People',
    keywords: 'accounts users',
    audience: 'operators',
    places: ['console', 'palette'],
  },
  {
    path: '/console/audit',
    label: 'Audit log',
    keywords: 'history',
    audience: 'operators',
    places: ['console', 'palette'],
  },
  {
    path: '/console/settings',
    label: 'Settings',
    keywords: 'configuration variables',
    audience: 'operators',
    places: ['console', 'palette'],
  },
  {
    path: '/status',
    label: 'Status',
    keywords: 'health incidents',
    audience: 'operators',
    places: ['console'],
  },
  {
    path: '/subscribe',
    label: 'Plans',
    keywords: 'price subscribe upgrade buy credits basic pro billing',
    audience: 'everybody',
    places: ['palette', 'product'],
  },
  {
    path: '/signup',
    label: 'Sign up',
    shortLabel: 'Sign up',
    keywords: 'register create account join',
    audience: 'visitors',
    places: ['header', 'palette'],
  },
  {
    path: '/login',
    label: 'Sign in',
    keywords: 'log in',
    audience: 'visitors',
    places: ['palette', 'notFound'],
  },
];

/** The selected team; null or undefined in the user's own workspace, or while unknown. */
type InTeam = Pick<SelectedTeam, 'isAdmin'> | null | undefined;

/** Returns the destinations of a place for this user and team; a visitor is null. */
export function destinationsFor(place: Place, user: SessionUser | null, team: InTeam): Destination[] {
  return destinations.filter(({ audience, places }) => places.includes(place) && isFor(audience, user, team));
}

function isFor(audience: Audience, user: SessionUser | null, team: InTeam): boolean {
  switch (audience) {
    case 'everybody':
      return true;
    case 'visitors':
      return user === null;
    case 'people':
      return user !== null;
    case 'operators':
      return user?.isOperator === true;
    case 'members':
      return user !== null && Boolean(team);
    case 'admins':
      return user !== null && team?.isAdmin === true;
  }
}
