import { useLocation } from 'react-router';
import { DocumentScreen } from '../features/documents/document-screen.tsx';
import { placeOfDocument } from '../lib/document-path.ts';

export default function DocumentRoute() {
  const place = placeOfDocument(useLocation());
  const { address, moduleId, visibility } = place;
  return <DocumentScreen key={`${address} ${moduleId} ${visibility}`} place={place} />;
}
