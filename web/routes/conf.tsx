import { ConfScreen } from '../features/conf/conf-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/conf', ConfScreen);
