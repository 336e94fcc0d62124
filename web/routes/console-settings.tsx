import { SettingsScreen } from '../features/operator/settings-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function ConsoleSettings() {
  return (
    <>
      <PageTitle page="Settings" />
      <SettingsScreen />
    </>
  );
}
