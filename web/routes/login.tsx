import { LoginScreen } from '../features/accounts/login-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Sign in', LoginScreen);
