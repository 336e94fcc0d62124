import { SearchScreen } from '../features/search/search-screen.tsx';
import { readFirstView } from '../lib/first-view.ts';
import { modulesOptions } from '../lib/library-queries.ts';
import { titledPage } from '../lib/page-title.tsx';

export const clientLoader = () => readFirstView((workspace) => [modulesOptions(workspace)]);
export const shouldRevalidate = () => false;

export default titledPage('Search', SearchScreen);
