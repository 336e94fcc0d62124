import { SubscribeScreen } from '../features/billing/subscribe-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/subscribe', SubscribeScreen);
