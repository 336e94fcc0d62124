import { ActionScreen } from '../features/accounts/action-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Email action', ActionScreen);
