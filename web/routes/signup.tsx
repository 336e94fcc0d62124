import { SignupScreen } from '../features/accounts/signup-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Sign up', SignupScreen);
