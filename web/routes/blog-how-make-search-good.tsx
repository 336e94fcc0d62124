import { HowMakeSearchGood } from '../features/blog/how-make-search-good.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function SearchPost() {
  return (
    <>
      <PublicPageHead path="/blog/how-make-search-good" />
      <HowMakeSearchGood />
    </>
  );
}
