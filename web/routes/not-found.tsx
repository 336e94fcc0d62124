import { NotFoundScreen } from '../features/shell/not-found-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function NotFound() {
  return (
    <>
      <PageTitle page="Not found" />
      <meta name="robots" content="noindex" />
      <NotFoundScreen />
    </>
  );
}
