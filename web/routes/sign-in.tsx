import { SignInScreen } from '../features/accounts/sign-in-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function SignIn() {
  return (
    <>
      <PageTitle page="Sign in" />
      <SignInScreen />
    </>
  );
}
