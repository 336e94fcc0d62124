import { SignedInGuard } from '../features/accounts/signed-in-guard.tsx';

export default function SignedIn() {
  return <SignedInGuard />;
}
