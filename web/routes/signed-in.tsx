import { SignedInGuard } from '../features/accounts/signed-in-guard.tsx';
import { readFirstView } from '../lib/first-view.ts';

export const clientLoader = () => readFirstView();
export const shouldRevalidate = () => false;

export default function SignedIn() {
  return <SignedInGuard />;
}
