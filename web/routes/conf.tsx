import { ConfScreen } from '../features/conf/conf-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Conf() {
  return (
    <>
      <PublicPageHead path="/conf" />
      <ConfScreen />
    </>
  );
}
