import { ConsentScreen } from '../features/connections/consent-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Connect an application', ConsentScreen);
