import { RimeScreen } from '../features/pages/rime-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/use-case/rime', RimeScreen);
