import type { SealingKeys } from '#server/platform/sealing.ts';

export interface CredentialDependencies {
  sealingKeys: SealingKeys;
  /** `host:port` entries of the operator: the only hosts that get a secret over plain http. */
  allowHosts: readonly string[];
}
