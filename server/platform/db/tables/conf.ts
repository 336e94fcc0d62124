export interface ConfTables {
  confSignUps: ConfSignUpsTable;
}

interface ConfSignUpsTable {
  id: string;
  email: string;
  createdAt: number;
  /** SHA-256 of the token in the newest mail; null once it was used. */
  confirmHash: string | null;
  confirmExpiresAt: number | null;
  confirmedAt: number | null;
}
