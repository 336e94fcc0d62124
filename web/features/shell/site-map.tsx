import { BookOpenText, House, KeyRound, Search } from 'lucide-react';
import type { ReactNode } from 'react';

interface Page {
  path: string;
  label: string;
  icon: ReactNode;
  keywords: string;
}

const iconClasses = 'size-4';

export const homePage: Page = {
  path: '/',
  label: 'Home',
  icon: <House aria-hidden className={iconClasses} />,
  keywords: 'start about',
};

/** The pages of somebody who is signed in, in the order of header, menus and palette. */
export const signedInPages: Page[] = [
  {
    path: '/search',
    label: 'Search',
    icon: <Search aria-hidden className={iconClasses} />,
    keywords: 'find documentation ask query',
  },
  {
    path: '/resources',
    label: 'Resources',
    icon: <BookOpenText aria-hidden className={iconClasses} />,
    keywords: 'modules sources jobs index add crawl',
  },
  {
    path: '/keys',
    label: 'API Keys',
    icon: <KeyRound aria-hidden className={iconClasses} />,
    keywords: 'mcp connect agent token setup',
  },
];
