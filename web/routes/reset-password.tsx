import { ResetRequestScreen } from '../features/accounts/reset-request-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Reset password', ResetRequestScreen);
