import { useLocation } from 'react-router';
import { Redirect } from '../lib/redirect.tsx';

/** The sign-in screen under its other name; the query, which contains the requested page, is kept. */
export default function SigninAlias() {
  const { search, hash } = useLocation();
  return <Redirect to={`/login${search}${hash}`} />;
}
