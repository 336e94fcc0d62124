import { SearchScreen } from '../features/search/search-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Search() {
  return (
    <>
      <PageTitle page="Search" />
      <SearchScreen />
    </>
  );
}
