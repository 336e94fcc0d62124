import { AuditScreen } from '../features/operator/audit-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Audit log', AuditScreen);
