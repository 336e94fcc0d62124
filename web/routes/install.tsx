import { InstallScreen } from '../features/keys/install/install-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Install', InstallScreen);
