import { SettingsScreen } from '../features/operator/settings-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Settings', SettingsScreen);
