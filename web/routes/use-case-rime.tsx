import { RimeScreen } from '../features/pages/rime-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Rime() {
  return (
    <>
      <PublicPageHead path="/use-case/rime" />
      <RimeScreen />
    </>
  );
}
