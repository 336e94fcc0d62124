import { PeopleScreen } from '../features/operator/people-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function ConsolePeople() {
  return (
    <>
      <PageTitle page="People" />
      <PeopleScreen />
    </>
  );
}
