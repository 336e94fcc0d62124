import { HowMakeSearchGood } from '../features/blog/how-make-search-good.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/blog/how-make-search-good', HowMakeSearchGood);
