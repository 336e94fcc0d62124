import { TestCheckoutScreen } from '../features/billing/test-mode/test-checkout-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Test payment', TestCheckoutScreen);
