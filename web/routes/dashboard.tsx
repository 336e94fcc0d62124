import { Navigate } from 'react-router';

/** The way in leads to the search until there is an overview to show. */
export default function Dashboard() {
  return <Navigate to="/search" replace />;
}
