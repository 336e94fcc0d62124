import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { useTheme } from './theme.ts';
import { useToast } from './toast.tsx';

// Most visits to public pages do not need the menu's code: it is loaded when the user points at or focuses the button.
const load = () => import('./theme-choice.tsx');
const loadSoon = () => void load().catch(() => undefined);

const icons = {
  system: <Monitor aria-hidden className="size-4" />,
  light: <Sun aria-hidden className="size-4" />,
  dark: <Moon aria-hidden className="size-4" />,
};

/**
 * Lets the reader choose the theme. It has no `Suspense`: React hydrates the content of one later than the page, and
 * loses a click on it in between.
 */
export function ThemeMenu() {
  const toast = useToast();
  const [theme, setTheme] = useTheme();
  const [part, setPart] = useState<Awaited<ReturnType<typeof load>>>();
  const tellFailure = () => toast({ id: 'theme', message: 'The menu could not be loaded. Try again.', tone: 'bad' });
  const open = () => void load().then(setPart, tellFailure);
  if (part !== undefined) return <part.ThemeChoice icons={icons} theme={theme} onChange={setTheme} />;
  // Keeps the focus until the menu has loaded.
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label="Theme"
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={loadSoon}
      onFocus={loadSoon}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        open();
      }}
    >
      {icons[theme]}
    </Button>
  );
}
