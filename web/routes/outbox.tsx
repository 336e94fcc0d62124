import { OutboxScreen } from '../features/outbox/outbox-screen.tsx';
import { titledPage } from '../lib/page-title.tsx';

export default titledPage('Outbox', OutboxScreen);
