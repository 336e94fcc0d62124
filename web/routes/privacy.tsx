import { PrivacyScreen } from '../features/pages/privacy-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/privacy', PrivacyScreen);
