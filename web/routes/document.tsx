import { useLocation } from 'react-router';
import { placeOfDocument } from '#contract/document-path.ts';
import { DocumentScreen } from '../features/documents/document-screen.tsx';

export default function DocumentRoute() {
  const place = placeOfDocument(useLocation());
  const { address, moduleId, visibility } = place;
  return <DocumentScreen key={`${address} ${moduleId} ${visibility}`} place={place} />;
}
