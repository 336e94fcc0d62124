import { ConsoleLayout } from '../features/shell/console-layout.tsx';
import { WorkspaceSwitcher } from '../features/teams/workspace-switcher.tsx';
import { readFirstView } from '../lib/first-view.ts';
import { membershipsOptions, teamsOptions } from '../lib/team-queries.ts';

export const clientLoader = () => readFirstView(() => [teamsOptions, membershipsOptions]);
export const shouldRevalidate = () => false;

export default function Console() {
  return <ConsoleLayout switcher={<WorkspaceSwitcher />} />;
}
