import { SignInScreen } from '../features/accounts/sign-in-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Sign in', SignInScreen);
