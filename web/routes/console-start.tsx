import { Navigate } from 'react-router';

/** The console begins with the dashboard. */
export default function ConsoleStart() {
  return <Navigate to="/dashboard" replace />;
}
