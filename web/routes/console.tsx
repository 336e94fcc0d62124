import { ConsoleLayout } from '../features/shell/console-layout.tsx';
import { WorkspaceSwitcher } from '../features/teams/workspace-switcher.tsx';

export default function Console() {
  return <ConsoleLayout switcher={<WorkspaceSwitcher />} />;
}
