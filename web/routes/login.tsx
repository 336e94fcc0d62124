import { LoginScreen } from '../features/accounts/login-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Login() {
  return (
    <>
      <PageTitle page="Sign in" />
      <LoginScreen />
    </>
  );
}
