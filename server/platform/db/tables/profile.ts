import type { Generated } from 'kysely';
import type { Workspace } from '../column-types.ts';

export interface ProfileTables {
  profiles: ProfilesTable;
  profilePins: ProfilePinsTable;
  libraryAddresses: LibraryAddressesTable;
}

interface ProfilesTable {
  id: string;
  workspace: Exclude<Workspace, 'public'>;
  /** One of a kind in its workspace. */
  name: string;
  /** Of the files it was made from; empty until the first are in. */
  contentHash: string;
  /** JSON: the files, without what they pin. */
  lockfiles: Generated<string>;
  createdAt: number;
  updatedAt: number;
  updatedByUserId: string;
}

interface ProfilePinsTable {
  profileId: string;
  ecosystem: string;
  /** As the registry writes it. */
  name: string;
  version: string;
  /** The name as modules are compared with it. */
  matchName: string;
  isDirect: number;
  isDev: number;
  /** The run that was started for it. */
  jobId: string | null;
}

/** What a registry said, for the person who pins the same. */
interface LibraryAddressesTable {
  ecosystem: string;
  name: string;
  version: string;
  /** JSON array. */
  offers: string;
  /** Why it gave no answer, as a sentence. */
  fault: string | null;
  askedAt: number;
}
