import { useEffect } from 'react';
import { useStoredChoice } from './stored-choice.ts';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageName = 'theme';

/** Runs inline in the head before the first paint, so that the wrong theme never flashes. */
export const themeScript = `try{var t=localStorage.getItem(${JSON.stringify(storageName)});if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}`;

/** Returns the user's theme and its setter; 'system' follows the platform. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useStoredChoice<Theme>(storageName, themes);
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === 'system') delete dataset.theme;
    else dataset.theme = theme;
  }, [theme]);
  return [theme, setTheme];
}
