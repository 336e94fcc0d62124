import { AddMembersScreen } from '../features/teams/add-members-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Add members', AddMembersScreen);
