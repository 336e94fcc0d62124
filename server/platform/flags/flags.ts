import type { FlagName } from '#contract/site.ts';

/** Where flags are read: in the environment, or at a service that speaks the OpenFeature remote evaluation protocol. */
export type FlagsConfig =
  | { kind: 'environment'; on: readonly string[] }
  | { kind: 'remote'; url: string; key: string | undefined };

/** For whom a flag is read. */
export interface FlagSubject {
  userId: string;
  email: string | null;
}

/** Feature flags. Nothing here throws: a flag that cannot be read is off. */
export interface Flags {
  /** Whether the last reading succeeded. */
  isConnected(): boolean;
  isOn(flag: FlagName, subject: FlagSubject | undefined): Promise<boolean>;
}
