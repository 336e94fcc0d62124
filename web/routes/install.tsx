import { InstallScreen } from '../features/keys/install/install-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Install() {
  return (
    <>
      <PageTitle page="Install" />
      <InstallScreen />
    </>
  );
}
