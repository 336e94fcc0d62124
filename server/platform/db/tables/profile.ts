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
  /** Unique in its workspace. */
  name: string;
  /** Hash of the source files; empty until the first files arrive. */
  contentHash: string;
  /** JSON: the files, without the versions they pin. */
  lockfiles: Generated<string>;
  libraryCount: Generated<number>;
  /** Number of direct dependencies. */
  directCount: Generated<number>;
  createdAt: number;
  updatedAt: number;
  updatedByUserId: string;
}

interface ProfilePinsTable {
  profileId: string;
  ecosystem: string;
  /** The registry's spelling. */
  name: string;
  version: string;
  /** The name in the form used to match modules. */
  matchName: string;
  isDirect: number;
  isDev: number;
  /** 1 if searches use another of the project's pins of this library; 0 for all pins stored by earlier versions. */
  isPassedOver: Generated<number>;
  /** The run started for the library. */
  jobId: string | null;
}

/** Cached registry responses, for other people who pin the same library. */
interface LibraryAddressesTable {
  ecosystem: string;
  name: string;
  version: string;
  /** JSON array. */
  offers: string;
  /** The reason for a missing response, as a sentence. */
  fault: string | null;
  askedAt: number;
}
