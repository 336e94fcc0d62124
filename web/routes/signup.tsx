import { SignupScreen } from '../features/accounts/signup-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Signup() {
  return (
    <>
      <PageTitle page="Sign up" />
      <SignupScreen />
    </>
  );
}
