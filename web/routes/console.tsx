import { ConsoleLayout } from '../features/shell/console-layout.tsx';

export default function Console() {
  return <ConsoleLayout />;
}
