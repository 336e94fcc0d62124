import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, Monitor, Moon, Plus, Search, Sun } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useSession } from '../../lib/session.ts';
import { teamsOptions, useMayWrite, useSelectedTeam } from '../../lib/team-queries.ts';
import { individualWorkspace, useWorkspace } from '../../lib/workspace.ts';
import { Palette, type PaletteGroup } from '../../ui/palette.tsx';
import { useTheme } from '../../ui/theme.ts';
import { SiteIcon } from './site-icons.tsx';
import { destinationsFor } from './site-map.ts';

const themes = [
  { theme: 'light', keywords: '', icon: Sun },
  { theme: 'dark', keywords: '', icon: Moon },
  { theme: 'system', keywords: ' auto', icon: Monitor },
] as const;

interface AppPaletteProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Text typed while the palette was loading. */
  typedBefore: string;
}

export function AppPalette({ isOpen, onOpenChange, typedBefore }: AppPaletteProps) {
  const navigate = useNavigate();
  const [, setTheme] = useTheme();
  const user = useSession().data?.user ?? null;
  const isSignedIn = user !== null;
  const team = useSelectedTeam();
  const mayWrite = useMayWrite();
  const [workspace, selectWorkspace] = useWorkspace();
  const teams = useQuery({ ...teamsOptions, enabled: isSignedIn }).data ?? [];
  const goTo = (path: string) => () => void navigate(path);

  const groups: PaletteGroup[] = [
    {
      label: 'Pages',
      items: destinationsFor('palette', user, team).map(({ path, label, keywords }) => ({
        id: path,
        label,
        icon: <SiteIcon path={path} />,
        keywords,
        onSelect: goTo(path),
      })),
    },
    {
      label: 'Workspaces',
      items: [
        { id: individualWorkspace, name: 'your own workspace' },
        ...teams.map(({ teamId, name }) => ({ id: teamId, name })),
      ]
        .filter(({ id }) => isSignedIn && id !== workspace)
        .map(({ id, name }) => ({
          id: `workspace-${id}`,
          label: `Switch to ${name}`,
          keywords: 'workspace team individual',
          icon: <ArrowLeftRight aria-hidden className="size-4" />,
          onSelect: () => selectWorkspace(id),
        })),
    },
    {
      label: 'Actions',
      items: [
        ...(isSignedIn && mayWrite
          ? [
              {
                id: 'add-source',
                label: 'Add a source',
                keywords: 'index crawl new module documentation',
                icon: <Plus aria-hidden className="size-4" />,
                onSelect: goTo('/resources#add'),
              },
            ]
          : []),
        ...(isSignedIn
          ? [
              {
                id: 'new-key',
                label: 'Create an API key',
                keywords: 'new token mcp',
                icon: <Plus aria-hidden className="size-4" />,
                onSelect: goTo('/keys#new'),
              },
            ]
          : []),
        ...themes.map(({ theme, keywords, icon: Icon }) => ({
          id: `theme-${theme}`,
          label: `Use the ${theme} theme`,
          keywords: `appearance colours${keywords}`,
          icon: <Icon aria-hidden className="size-4" />,
          onSelect: () => setTheme(theme),
        })),
      ],
    },
  ];

  return (
    <Palette
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      typedBefore={typedBefore}
      groups={groups}
      itemsFor={(typed) => [
        {
          id: 'search',
          label: `Search documentation for “${typed}”`,
          icon: <Search aria-hidden className="size-4" />,
          onSelect: goTo(`/search?${new URLSearchParams({ q: typed })}`),
        },
      ]}
    />
  );
}
