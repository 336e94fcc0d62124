export { backupInstallation } from './backup-installation.ts';
export type { Irregularity } from './examine-installation.ts';
export { type Moved, moveInstallation } from './move-installation.ts';
export { countSealed, isOurSecret, renewSecrets, type SealCounts, unopenedIn } from './renew-secrets.ts';
export { restoreInstallation } from './restore-installation.ts';
export { adoptConfiguredStore, requireOwn } from './settle-store.ts';
export { type Litter, surveyStore, sweepStore } from './sweep-store.ts';
