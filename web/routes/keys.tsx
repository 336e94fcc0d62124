import { KeysScreen } from '../features/keys/keys-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('API Keys', KeysScreen);
