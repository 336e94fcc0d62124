import { StatusScreen } from '../features/status/status-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Status() {
  return (
    <>
      <PublicPageHead path="/status" />
      <StatusScreen />
    </>
  );
}
