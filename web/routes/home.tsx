import { HomeScreen } from '../features/home/home-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Home() {
  return (
    <>
      <PublicPageHead path="/" />
      <HomeScreen />
    </>
  );
}
