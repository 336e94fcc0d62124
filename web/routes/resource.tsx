import { useParams } from 'react-router';
import { SourceScreen } from '../features/library/source-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Resource() {
  const { moduleId = '' } = useParams();
  return (
    <>
      <PageTitle page={moduleId} />
      <SourceScreen key={moduleId} moduleId={moduleId} />
    </>
  );
}
