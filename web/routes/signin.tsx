import { Navigate, useLocation } from 'react-router';

/** The sign-in screen under its other name; the query, and with it the way back, is kept. */
export default function SigninAlias() {
  const { search, hash } = useLocation();
  return <Navigate to={`/login${search}${hash}`} replace />;
}
