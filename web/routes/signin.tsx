import { useLocation } from 'react-router';
import { Redirect } from '../lib/redirect.tsx';

/** The sign-in screen under its other name; the query, and with it the way back, is kept. */
export default function SigninAlias() {
  const { search, hash } = useLocation();
  return <Redirect to={`/login${search}${hash}`} />;
}
