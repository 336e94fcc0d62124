import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Settings } from '#contract/operator.ts';
import { OperatorPage } from '../features/operator/operator-page.tsx';
import { settingsOptions } from '../features/operator/queries.ts';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { titledPage } from '../lib/page-title.tsx';
import { Badge } from '../ui/badge.tsx';
import { SettingsRow, SettingsSection } from '../ui/settings.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { Switch } from '../ui/switch.tsx';

/** The server's settings. They come from the environment, so this screen only shows them. */
function SettingsScreen() {
  const settings = useQuery(settingsOptions);
  return (
    <OperatorPage
      title="Settings"
      about={
        <>
          The settings that the server started with. To change one, set its environment variable and restart the server.{' '}
          <Link to="/docs/operate/configuration" className="text-lamp underline underline-offset-3">
            All variables
          </Link>
        </>
      }
    >
      {settings.isError ? (
        <RetryNotice query={settings} title="Couldn't load the settings" />
      ) : settings.data === undefined ? (
        <Loading label="Loading the settings…" className="flex flex-col gap-3">
          <Skeleton className="h-32 w-full" />
          <Skeleton className="h-64 w-full" />
        </Loading>
      ) : (
        <Shown settings={settings.data} />
      )}
    </OperatorPage>
  );
}

export default titledPage('Settings', SettingsScreen);

function Shown({ settings }: { settings: Settings }) {
  const [isWhole, setIsWhole] = useState(false);
  const { version, node, roles, publicUrl, dataFolder, variables } = settings;
  const shown = isWhole ? variables : variables.filter(({ value }) => value !== null);
  const facts = [
    ['Version', version],
    ['Node.js', node],
    ['Roles', roles.join(', ')],
    ['Public address', publicUrl],
    ['Data folder', dataFolder],
  ] as const;
  return (
    <div>
      <SettingsSection id="server" title="Server" about="The process that served this page.">
        {facts.map(([name, value]) => (
          <SettingsRow key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-1">
            <span className="font-medium text-ink text-sm">{name}</span>
            <code className="wrap-anywhere font-mono text-soft text-sm">{value}</code>
          </SettingsRow>
        ))}
      </SettingsSection>
      <SettingsSection id="variables" title="Variables" about="Secrets are never shown here.">
        <SettingsRow>
          <Switch label="Show variables that are not set" isOn={isWhole} onChange={setIsWhole} />
        </SettingsRow>
        {shown.length === 0 && (
          <SettingsRow>
            <p className="text-soft">No variable is set. The defaults apply.</p>
          </SettingsRow>
        )}
        {shown.map((variable) => (
          <SettingsRow key={variable.name}>
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
              <code className="wrap-anywhere font-mono font-medium text-ink text-sm">{variable.name}</code>
              <Value variable={variable} />
            </div>
            <p className="mt-1 text-faint text-xs">{variable.about}</p>
          </SettingsRow>
        ))}
      </SettingsSection>
    </div>
  );
}

function Value({ variable: { value, isSecret, fallback } }: { variable: Settings['variables'][number] }) {
  if (value === null) {
    return <span className="text-faint text-sm">{fallback === '' ? 'Not set' : `Default: ${fallback}`}</span>;
  }
  if (isSecret) return <Badge tone="good">Set</Badge>;
  return <code className="wrap-anywhere font-mono text-soft text-sm">{value}</code>;
}
