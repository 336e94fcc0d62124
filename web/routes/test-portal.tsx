import { TestPortalScreen } from '../features/billing/test-mode/test-portal-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Test billing portal', TestPortalScreen);
