import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Menu, MenuChoice } from './menu.tsx';
import type { Theme } from './theme.ts';

interface ThemeChoiceProps {
  icons: Record<Theme, ReactNode>;
  theme: Theme;
  onChange: (theme: Theme) => void;
}

/** The theme menu. It is loaded on request, so it is initially open. */
export function ThemeChoice({ icons, theme, onChange }: ThemeChoiceProps) {
  return (
    <Menu
      isOpenAtFirst
      trigger={
        <Button look="quiet" size="icon" aria-label="Theme">
          {icons[theme]}
        </Button>
      }
    >
      <MenuChoice
        label="Theme"
        value={theme}
        onChange={onChange}
        options={[
          { value: 'system', label: 'System', icon: icons.system },
          { value: 'light', label: 'Light', icon: icons.light },
          { value: 'dark', label: 'Dark', icon: icons.dark },
        ]}
      />
    </Menu>
  );
}
