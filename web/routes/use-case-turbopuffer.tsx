import { TurbopufferScreen } from '../features/pages/turbopuffer-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Turbopuffer() {
  return (
    <>
      <PublicPageHead path="/use-case/turbopuffer" />
      <TurbopufferScreen />
    </>
  );
}
