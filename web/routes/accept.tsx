import { AcceptScreen } from '../features/teams/accept-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Team invitation', AcceptScreen);
