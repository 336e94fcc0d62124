import { StatusScreen } from '../features/status/status-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/status', StatusScreen);
