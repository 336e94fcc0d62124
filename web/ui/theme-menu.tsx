import { Monitor, Moon, Sun } from 'lucide-react';
import { Button } from './button.tsx';
import { Menu, MenuChoice } from './menu.tsx';
import { useTheme } from './theme.ts';

const icons = {
  system: <Monitor aria-hidden className="size-4" />,
  light: <Sun aria-hidden className="size-4" />,
  dark: <Moon aria-hidden className="size-4" />,
};

export function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label="Theme">
          {icons[theme]}
        </Button>
      }
    >
      <MenuChoice
        label="Theme"
        value={theme}
        onChange={setTheme}
        options={[
          { value: 'system', label: 'System', icon: icons.system },
          { value: 'light', label: 'Light', icon: icons.light },
          { value: 'dark', label: 'Dark', icon: icons.dark },
        ]}
      />
    </Menu>
  );
}
