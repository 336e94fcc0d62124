import { Redirect } from '../lib/redirect.tsx';

export default function ConsoleStart() {
  return <Redirect to="/dashboard" />;
}
