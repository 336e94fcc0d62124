import { TurbopufferScreen } from '../features/pages/turbopuffer-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/use-case/turbopuffer', TurbopufferScreen);
