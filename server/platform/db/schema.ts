import type { Insertable, Selectable } from 'kysely';
import type { AccessTables } from './tables/access.ts';
import type { AgentsTables } from './tables/agents.ts';
import type { BillingTables } from './tables/billing.ts';
import type { ChatsTables } from './tables/chats.ts';
import type { CreditsTables } from './tables/credits.ts';
import type { HostingTables } from './tables/hosting.ts';
import type { ConfTables, InstallationTables, MailsTables } from './tables/installation.ts';
import type { IndexRequestsTables, LibraryTables, SourcesTables } from './tables/library.ts';
import type { PdfSetsTables } from './tables/pdf-sets.ts';
import type { PeopleTables } from './tables/people.ts';
import type { ProfileTables } from './tables/profile.ts';
import type { RepositoriesTables } from './tables/repositories.ts';
import type { StatusTables } from './tables/status.ts';
import type { TeamsTables } from './tables/teams.ts';

export type { JobStatus, SourceKind, TeamRole, Workspace } from './column-types.ts';

/**
 * All tables as the code sees them: camelCase here, snake_case in SQL. Ids are random text; instants are epoch
 * milliseconds; flags are 0 or 1; JSON columns hold JSON text; numbers are integers.
 */
export interface Schema
  extends AccessTables,
    AgentsTables,
    BillingTables,
    ChatsTables,
    ConfTables,
    CreditsTables,
    HostingTables,
    IndexRequestsTables,
    InstallationTables,
    LibraryTables,
    MailsTables,
    PdfSetsTables,
    PeopleTables,
    ProfileTables,
    RepositoriesTables,
    SourcesTables,
    StatusTables,
    TeamsTables {}

/** A row returned by a query. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
/** A row to insert: columns with a default and nullable columns can be left out. */
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>;
