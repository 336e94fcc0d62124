import { BlogScreen } from '../features/blog/blog-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/blog', BlogScreen);
