import { Redirect } from '../lib/redirect.tsx';

/** The console starts with the dashboard. */
export default function ConsoleStart() {
  return <Redirect to="/dashboard" />;
}
