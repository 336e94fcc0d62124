import { KeysScreen } from '../features/keys/keys-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Keys() {
  return (
    <>
      <PageTitle page="API Keys" />
      <KeysScreen />
    </>
  );
}
