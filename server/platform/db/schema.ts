import type { Generated, Insertable, Selectable } from 'kysely';

/**
 * Every table, as the code sees it: camelCase here, snake_case in SQL. Ids are random text; instants are epoch
 * milliseconds; flags are 0 or 1; columns said to be JSON hold its text; numbers are whole numbers.
 */
export interface Schema {
  users: UsersTable;
  signInLinks: SignInLinksTable;
  webSessions: WebSessionsTable;
  passwords: PasswordsTable;
  identities: IdentitiesTable;
  actionCodes: ActionCodesTable;
  identityTokens: IdentityTokensTable;
  rateCounts: RateCountsTable;
  teams: TeamsTable;
  memberships: MembershipsTable;
  teamSignOns: TeamSignOnsTable;
  apiKeys: ApiKeysTable;
  oauthClients: OauthClientsTable;
  connections: ConnectionsTable;
  connectionCodes: ConnectionCodesTable;
  connectionTokens: ConnectionTokensTable;
  auditLog: AuditLogTable;
  modules: ModulesTable;
  segments: SegmentsTable;
  jobRuns: JobRunsTable;
  agentSessions: AgentSessionsTable;
  agentCalls: AgentCallsTable;
  settings: SettingsTable;
  creditTransactions: CreditTransactionsTable;
  monthlyUsage: MonthlyUsageTable;
  callReceipts: CallReceiptsTable;
  billingAccounts: BillingAccountsTable;
  billingEvents: BillingEventsTable;
  testPaymentBooks: TestPaymentBooksTable;
  testPaymentEvents: TestPaymentEventsTable;
}

/** A row as a query returns it. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
/** A row as an insert takes it: columns with a default, and those that may be null, can be left out. */
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>;

/** Who sees a module or a run: everybody, one user, or one team. */
export type Workspace = 'public' | `user:${string}` | `team:${string}`;
/** What a module was made from. */
export type SourceKind = 'site' | 'folder' | 'git' | 'pdf';
export type TeamRole = 'admin' | 'writer' | 'reader';
export type JobStatus = 'QUEUED' | 'CRAWLING' | 'INDEXING' | 'COMPLETE' | 'FAILED';

interface UsersTable {
  id: string;
  /** Lower case; the writer lowers it. */
  email: string | null;
  displayName: Generated<string>;
  photoUrl: string | null;
  emailVerifiedAt: number | null;
  tier: Generated<string>;
  isOperator: Generated<number>;
  createdAt: number;
  /** Purchased and given credits: the sum of the ledger rows that are not from the allowance. */
  credits: Generated<number>;
  /** Credits of each billing cycle. */
  monthlyAllowance: Generated<number>;
  /** The day of its month is when billing cycles begin; null: there was no subscription yet. */
  subscriptionStartAt: number | null;
  /** Null: never asked. */
  marketingConsent: number | null;
  marketingConsentAt: number | null;
  /** When what follows a verified address was done. */
  emailVerifiedNotedAt: number | null;
  /** At the payment provider. */
  customerId: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  subscriptionEndAt: number | null;
}

interface SignInLinksTable {
  tokenHash: string;
  userId: string;
  createdAt: number;
  expiresAt: number;
  usedAt: number | null;
}

interface WebSessionsTable {
  tokenHash: string;
  userId: string;
  createdAt: number;
  expiresAt: number;
  lastSeenAt: number;
  /** Names the session to its owner; random. */
  id: string | null;
  userAgent: Generated<string>;
}

interface PasswordsTable {
  userId: string;
  /** With its algorithm and parameters. */
  hash: string;
  changedAt: number;
  lastUsedAt: number | null;
}

interface IdentitiesTable {
  provider: string;
  /** The account's id at the provider. */
  subject: string;
  userId: string;
  createdAt: number;
}

interface ActionCodesTable {
  codeHash: string;
  purpose: 'reset-password' | 'verify-email';
  userId: string;
  /** The address the code was sent to. */
  email: string;
  createdAt: number;
  expiresAt: number;
  usedAt: number | null;
}

interface IdentityTokensTable {
  tokenHash: string;
  /** The token ends with this session. */
  sessionTokenHash: string;
  createdAt: number;
  expiresAt: number;
}

interface RateCountsTable {
  /** What is counted, for whom; people are named by a hash. */
  bucket: string;
  startedAt: number;
  endsAt: number;
  count: number;
}

interface TeamsTable {
  id: string;
  name: string;
  createdAt: number;
  createdBy: string;
  tier: Generated<string>;
  /** Purchased credits of the team: the sum of its ledger rows that are not from the allowance. */
  credits: Generated<number>;
  /** Credits of each billing cycle, of all paid seats together. */
  monthlyAllowance: Generated<number>;
  numberOfPaidSeats: Generated<number>;
  /** At the payment provider. */
  customerId: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  /** The day of its month is when billing cycles begin; null: there was no subscription yet. */
  subscriptionStartAt: number | null;
  subscriptionEndAt: number | null;
  discountCode: string | null;
  /** Percent, or cents: as `billing` writes it. */
  discountAmount: number | null;
  /** Keys of the team are shown when they are made and never again. */
  showsKeysOnce: Generated<number>;
}

interface MembershipsTable {
  id: string;
  teamId: string;
  /** Null as long as it is an invite. */
  userId: string | null;
  /** Lower case; the address the invite went to, or the person's own. Null for a local owner without one. */
  email: string | null;
  role: TeamRole;
  state: 'invited' | 'accepted';
  hasPaidSeat: Generated<number>;
  invitedByUserId: string | null;
  inviteTokenHash: string | null;
  inviteExpiresAt: number | null;
  lastInviteSentAt: number | null;
  /** When the row was made: invited, or founded the team. */
  joinedAt: number;
  acceptedAt: number | null;
  declinedAt: number | null;
  /** Declined, withdrawn, left or removed; null: the row counts. */
  endedAt: number | null;
}

interface TeamSignOnsTable {
  teamId: string;
  /** Lower case, in ASCII. */
  domain: string;
  /** What the team has to publish to prove that the domain is its own. */
  domainToken: string;
  /** Null until it was proved. */
  verifiedAt: number | null;
  issuer: string;
  clientId: string;
  clientSecretSealed: string;
  defaultRole: 'writer' | 'reader';
  createdAt: number;
  updatedAt: number;
}

interface ApiKeysTable {
  id: string;
  userId: string;
  teamId: string | null;
  name: string;
  keyHash: string;
  /** The key, encrypted: users may reveal it later. */
  keySealed: string;
  clientKind: string | null;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

interface OauthClientsTable {
  /** Made here for one that registered; the address of its description for one that publishes it. */
  id: string;
  kind: 'registered' | 'document';
  name: string;
  /** JSON array. */
  redirectUris: string;
  usesRefresh: number;
  createdAt: number;
  /** Until when a description counts without being fetched again. */
  readUntil: number | null;
  /** When somebody last let it in. */
  lastUsedAt: number | null;
}

interface ConnectionsTable {
  id: string;
  userId: string;
  workspace: Exclude<Workspace, 'public'>;
  clientId: string;
  clientName: string;
  /** Host of the description that vouches for the name. */
  vouchedBy: string | null;
  /** What the tokens are for (RFC 8707). */
  resource: string;
  usesRefresh: number;
  createdAt: number;
  /** Null until the application has exchanged its code. */
  connectedAt: number | null;
  lastUsedAt: number | null;
  /** When the last token that could be used ends. */
  expiresAt: number;
  revokedAt: number | null;
}

interface ConnectionCodesTable {
  codeHash: string;
  connectionId: string;
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  expiresAt: number;
  usedAt: number | null;
}

interface ConnectionTokensTable {
  tokenHash: string;
  connectionId: string;
  kind: 'access' | 'refresh';
  createdAt: number;
  expiresAt: number;
  /** When a refresh token was exchanged for the next one. */
  usedAt: number | null;
}

interface AuditLogTable {
  id: string;
  /** Null: the system itself, or an account that has been deleted. */
  actorUserId: string | null;
  action: string;
  entityId: string;
  /** JSON object. */
  detail: Generated<string>;
  createdAt: number;
  /** The team whose admins may read it. */
  teamId: string | null;
}

interface ModulesTable {
  id: string;
  workspace: Workspace;
  slug: string;
  displayName: string;
  kind: SourceKind;
  /** JSON: how to fetch it again. */
  source: string;
  /** JSON array of segment ids, oldest first: what is served. */
  segments: Generated<string>;
  pageCount: Generated<number>;
  snippetCount: Generated<number>;
  tokenCount: Generated<number>;
  byteCount: Generated<number>;
  createdAt: number;
  createdByUserId: string;
  /** Null until the first version is served. */
  lastUpdatedAt: number | null;
  /** Grows by one with every swap, so that a swap can be conditional on the version it was built from. */
  revision: Generated<number>;
}

interface SegmentsTable {
  id: string;
  /** May outlive its module: the row is what remembers the blob to be deleted. */
  moduleId: string;
  blobKey: string;
  pageCount: Generated<number>;
  snippetCount: Generated<number>;
  byteCount: Generated<number>;
  createdAt: number;
  /** Set when no module serves it any more. */
  droppedAt: number | null;
}

interface JobRunsTable {
  id: string;
  workspace: Workspace;
  /** May name a module that has been removed: a run is history. */
  moduleId: string | null;
  slug: string;
  displayName: string;
  url: string;
  kind: SourceKind;
  status: JobStatus;
  /** JSON object. */
  settings: Generated<string>;
  found: Generated<number>;
  fetched: Generated<number>;
  unchanged: Generated<number>;
  skipped: Generated<number>;
  failed: Generated<number>;
  snippets: Generated<number>;
  contentBytes: Generated<number>;
  /** JSON object: reason → count. */
  skipReasons: Generated<string>;
  error: string | null;
  errorCode: string | null;
  attempt: Generated<number>;
  leaseOwner: string | null;
  leaseUntil: number | null;
  cancelRequestedAt: number | null;
  createdAt: number;
  startTime: number | null;
  endTime: number | null;
  startedByUserId: string;
  updatedAt: number;
}

interface AgentSessionsTable {
  id: string;
  /** What the session is keyed by, for example a transport session id, or key + client. */
  identity: string;
  userId: string;
  keyId: string | null;
  clientName: string;
  handle: string;
  createdAt: number;
  lastSeenAt: number;
  /** The team it was held in; null: for the person themselves. */
  teamId: string | null;
}

interface AgentCallsTable {
  id: string;
  sessionId: string;
  at: number;
  tool: string;
  query: string | null;
  url: string | null;
  /** JSON array. */
  snippetIds: Generated<string>;
  /** JSON array. */
  pageUrls: Generated<string>;
  tokens: Generated<number>;
  wholePageTokens: Generated<number>;
  withheldTokens: Generated<number>;
  latencyMs: Generated<number>;
}

interface SettingsTable {
  name: string;
  /** JSON. */
  value: string;
}

/** Append-only. Spent amounts are below 0. */
interface CreditTransactionsTable {
  id: string;
  userId: string;
  teamId: string | null;
  /** One request that is paid from allowance and balance has two rows. */
  requestId: string;
  /** What a call and its retries have in common; null for what is no call. */
  fingerprint: string | null;
  amount: Generated<number>;
  userAccountAmount: number | null;
  source: Generated<'subscription' | 'usage' | 'initial' | 'purchase'>;
  isFromMonthlyAllowance: Generated<number>;
  timestamp: number;
  details: Generated<string>;
  /** JSON object. */
  metadata: Generated<string>;
}

/** Credits of the allowance used in one billing cycle, named by the month it began in. */
interface MonthlyUsageTable {
  workspace: Workspace;
  year: number;
  month: number;
  day: number;
  creditsUsed: Generated<number>;
}

/** What one search or read sent, and what it would have been without choosing passages. Tokens are o200k_base. */
interface CallReceiptsTable {
  id: string;
  userId: string;
  teamId: string | null;
  keyId: string | null;
  tool: 'search' | 'read';
  at: number;
  /** Charged for it, wherever they came from. */
  credits: Generated<number>;
  tokens: Generated<number>;
  wholePageTokens: Generated<number>;
  withheldTokens: Generated<number>;
}

/** How a payer stands with the payment provider, as it was read last. */
interface BillingAccountsTable {
  payer: Exclude<Workspace, 'public'>;
  /** Which provider this is about. */
  mode: 'test' | 'stripe';
  customerId: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  tier: Generated<string>;
  /** Seats; 1 for a person with a paid plan. */
  quantity: Generated<number>;
  startedAt: number | null;
  periodEndAt: number | null;
  cancelAtPeriodEnd: Generated<number>;
  /** JSON object. */
  discount: string | null;
  /** The payment page for a subscription that was opened last. */
  openCheckoutId: string | null;
  /** Number of the last reading of the provider that was begun. */
  lastRead: Generated<number>;
  /** And of the one that was written: one that was begun before it is older news. */
  writtenRead: Generated<number>;
  /** Who is changing the subscription, and until when they may. */
  busyToken: string | null;
  busyUntil: number | null;
  /** When the payer was deleted: the provider is still to be told. */
  closingAt: number | null;
}

interface BillingEventsTable {
  /** The provider's. */
  id: string;
  type: string;
  /** JSON object: what is to be read anew; null: nothing. */
  concern: string | null;
  receivedAt: number;
  tries: Generated<number>;
  /** Null: not settled yet. */
  outcome: 'applied' | 'ignored' | 'refused' | null;
  /** Why, in words. */
  detail: Generated<string>;
  settledAt: number | null;
}

interface TestPaymentBooksTable {
  customerId: string;
  /** JSON object. */
  document: string;
  revision: Generated<number>;
}

/** Events of the test mode that wait to be delivered. */
interface TestPaymentEventsTable {
  id: string;
  body: string;
  createdAt: number;
}
