import { Monitor, Moon, Sun } from 'lucide-react';
import { lazy, Suspense, startTransition, useState } from 'react';
import { Button } from './button.tsx';
import { useTheme } from './theme.ts';

// Most visits to public pages do not need the menu's code: it is loaded when the user points at or focuses the button.
const load = () => import('./theme-choice.tsx');
const ThemeChoice = lazy(() => load().then((part) => ({ default: part.ThemeChoice })));
const loadSoon = () => void load().catch(() => undefined);

const icons = {
  system: <Monitor aria-hidden className="size-4" />,
  light: <Sun aria-hidden className="size-4" />,
  dark: <Moon aria-hidden className="size-4" />,
};

/** Lets the reader choose the theme. */
export function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  const [hasOpened, setHasOpened] = useState(false);
  // The button keeps the focus until the menu has loaded.
  const open = () => startTransition(() => setHasOpened(true));
  const button = (
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
  return (
    <Suspense fallback={button}>
      {hasOpened ? <ThemeChoice icons={icons} theme={theme} onChange={setTheme} /> : button}
    </Suspense>
  );
}
