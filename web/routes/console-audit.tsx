import { AuditScreen } from '../features/operator/audit-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function ConsoleAudit() {
  return (
    <>
      <PageTitle page="Audit log" />
      <AuditScreen />
    </>
  );
}
