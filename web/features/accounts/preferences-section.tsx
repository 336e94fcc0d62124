import { Monitor, Moon, Sun } from 'lucide-react';
import type { SessionUser } from '#contract/accounts.ts';
import { useDebugSetting } from '../../ui/debug-setting.ts';
import { useLocalCacheSetting } from '../../ui/local-cache-setting.ts';
import { useScrollToTop } from '../../ui/scroll-to-top.tsx';
import { Segments } from '../../ui/segments.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useTheme } from '../../ui/theme.ts';

const themes = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden className="size-3.5" /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden className="size-3.5" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden className="size-3.5" /> },
] as const;

const cacheSizes = [
  { value: 'off', label: 'Off' },
  { value: '1', label: '1 MB' },
  { value: '4', label: '4 MB' },
] as const;

/** What is set for this browser alone and kept in it. */
export function PreferencesSection({ user }: { user: SessionUser }) {
  const [theme, setTheme] = useTheme();
  const [scrollToTop, setScrollToTop] = useScrollToTop();
  const [localCache, setLocalCache] = useLocalCacheSetting();
  const [debug, setDebug] = useDebugSetting();
  return (
    <SettingsSection id="preferences" title="This browser" about="Stored in this browser only.">
      <SettingsRow className="flex flex-wrap items-center justify-between gap-3">
        <span className="font-medium text-ink text-sm">Theme</span>
        <Segments label="Theme" value={theme} options={themes} onChange={setTheme} />
      </SettingsRow>
      <SettingsRow>
        <Switch
          label="Start each page at the top"
          hint="If off, a new page keeps your scroll position."
          isOn={scrollToTop === 'on'}
          onChange={(isOn) => setScrollToTop(isOn ? 'on' : 'off')}
        />
      </SettingsRow>
      <SettingsRow className="flex flex-wrap items-center justify-between gap-3">
        <span className="min-w-0">
          <span className="block font-medium text-ink text-sm">Cache data in this browser</span>
          <span className="block text-faint text-xs">
            Shows lists immediately on your next visit while they reload. Cleared when you sign out.
          </span>
        </span>
        <Segments label="Cache data in this browser" value={localCache} options={cacheSizes} onChange={setLocalCache} />
      </SettingsRow>
      {user.isOperator && (
        <SettingsRow>
          <Switch
            label="Show the debug box"
            hint="For operators: shows the feature-flag connection, your email and the flags in a corner of every page."
            isOn={debug === 'on'}
            onChange={(isOn) => setDebug(isOn ? 'on' : 'off')}
          />
        </SettingsRow>
      )}
    </SettingsSection>
  );
}
