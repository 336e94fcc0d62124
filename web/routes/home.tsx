import { HomeScreen } from '../features/home/home-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/', HomeScreen);
