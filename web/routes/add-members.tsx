import { AddMembersScreen } from '../features/teams/add-members-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function AddMembers() {
  return (
    <>
      <PageTitle page="Add members" />
      <AddMembersScreen />
    </>
  );
}
