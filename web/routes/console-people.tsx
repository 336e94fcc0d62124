import { PeopleScreen } from '../features/operator/people-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('People', PeopleScreen);
