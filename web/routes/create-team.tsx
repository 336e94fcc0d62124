import { CreateTeamScreen } from '../features/teams/create-team-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Create team', CreateTeamScreen);
