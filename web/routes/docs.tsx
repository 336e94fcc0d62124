import { useLocation } from 'react-router';
import { DocsScreen } from '../features/docs/docs-screen.tsx';
import NotFound from './not-found.tsx';

// Only for prerendering: the browser gets neither the texts nor the code that renders them.
const written = import.meta.env.SSR ? await import('../features/docs/written-docs.tsx') : undefined;

export default function Docs() {
  const path = useLocation().pathname.replace(/\/$/, '');
  if (written !== undefined) return <written.WrittenDocs path={path} />;
  return <DocsScreen path={path} missing={<NotFound />} />;
}
