/** Business constants; the unit is in the name. */
export const limits = {
  callTimeoutSeconds: 70,
  /** Body of one request. Far above any call; a longer query is refused by its length, not by this. */
  requestBytesMax: 1_000_000,
  queryCharactersMax: 2_000,
  urlCharactersMax: 4_096,
  keyNameCharactersMax: 100,
  /** How often one person may have keys shown. */
  keyRevealsPerHourMax: 60,
  moduleIdCharactersMax: 120,
  /** Tokens (o200k_base) of one search answer unless the caller names a budget. */
  searchTokensDefault: 1_250,
  /** Tokens of one read unless the caller names a budget and the page does not fit whole. */
  readTokensDefault: 1_500,
  /** A page over this is cut to its start and the parts most similar to what was searched. */
  readTokensMax: 5_000,
  budgetTokensMin: 100,
  budgetTokensMax: 10_000,
  searchResultsMax: 20,
  pagesPerJobDefault: 2_000,
  pagesPerJobMax: 20_000,
  depthPerJobMax: 100,
  seedsPerJobMax: 200,
  jobRunsListed: 100,
  /** Entries of a run's log that are kept; all are counted. */
  jobLogEntriesMax: 2_000,
  jobLogPageMax: 200,
  /** A site or folder that was not read for this long is pointed out as stale. */
  sourceStaleDays: 30,
  pdfSetsPerWorkspaceMax: 100,
  /** Files of one set, uploads under way included. */
  pdfFilesPerSetMax: 200,
  /** 100 MB, by the larger of its two meanings. */
  pdfFileBytesMax: 104_857_600,
  pdfFileNameCharactersMax: 500,
  /** A name is cut to this when it is cleaned. */
  pdfShownNameCharactersMax: 200,
  /** What a client sends at once of a file; a lost connection loses no more than this. */
  pdfPartBytes: 8_388_608,
  pdfPartBytesMax: 16_777_216,
  pdfUploadLifetimeHours: 24,
  /** Pages of one file that are read; a set of manuals has some hundreds each. */
  pdfPagesPerFileMax: 10_000,
  /** A long private key has some 3,500 characters, a fat cookie header 8,000. */
  sourceSecretCharactersMax: 16_000,
  sourceCredentialsMax: 200,
  /** How long a long poll for live changes may wait. */
  livePollSecondsMin: 5,
  livePollSecondsMax: 30,
  /** Least room for what a browser keeps of its reads, where somebody lets it. */
  localCacheBytesMin: 1_048_576,
  signInLinkLifetimeMinutes: 60,
  webSessionLifetimeDays: 30,
  webSessionLastSeenEveryMinutes: 5,
  identityTokenLifetimeMinutes: 60,
  /** How long ago one may have signed in to do what cannot be undone without giving the password again. */
  recentSignInMinutes: 5,
  passwordCharactersMin: 6,
  passwordCharactersMax: 1_024,
  /** RFC 5321: 64 for the part before the @, 255 for the one after it. */
  emailCharactersMax: 320,
  displayNameCharactersMax: 200,
  resetCodeLifetimeHours: 1,
  verificationCodeLifetimeHours: 24,
  /** How long the screen says that a password was reset before it goes on to the sign-in screen. */
  resetRedirectSeconds: 3,
  keyLastUsedEveryMinutes: 5,
  /** Query of an authorization request, with its addresses and its state. */
  connectionRequestCharactersMax: 8_000,
  /** From a person's consent to the exchange by the application, which follows at once. */
  connectionCodeLifetimeSeconds: 120,
  connectionAccessLifetimeSeconds: 3_600,
  /** A connection that is not used for this long ends. */
  connectionRefreshLifetimeDays: 30,
  clientNameCharactersMax: 80,
  clientRedirectsMax: 10,
  clientRedirectCharactersMax: 2_000,
  clientRegistrationBytesMax: 16_000,
  /** The draft for client metadata documents recommends 5 KB; some list many addresses. */
  clientDocumentBytesMax: 10_000,
  clientDocumentTimeoutSeconds: 5,
  clientDocumentMinutesMin: 5,
  clientDocumentMinutesMax: 24 * 60,
  /** An application that registered and was never let in is forgotten after this. */
  clientUnusedDays: 3,
  /** An application that was let in once, and is not connected any more, is forgotten after this. */
  clientIdleDays: 90,
  teamNameCharactersMax: 100,
  invitesPerCallMax: 100,
  inviteLifetimeDays: 7,
  inviteResendSeconds: 60,
  /** Pending invites and members of one team. */
  teamMembersMax: 1_000,
  teamsPerPersonMax: 50,
  auditEntriesDefault: 50,
  auditEntriesMax: 200,
  auditExportMax: 10_000,
  promotionCodeCharactersMax: 100,
  creditPacksPerPurchaseMax: 100,
  /** An agent without a session id is the same agent for this long after its last call. */
  agentMemoryMinutes: 30,
  /** What was sent in a session is forgotten this long after its last call. */
  agentSessionDays: 30,
  /** Pages one search answer is spread over when there are that many. */
  searchPagesAimed: 5,
  /** What an agent without a documentation search spends on one look-up; savings are counted against it. */
  baselineTokens: 10_000,
  /** Given to every new account, once; they never expire. */
  initialCredits: 200,
  searchCredits: 1,
  readCredits: 1,
  /** The same call of the same caller within this time of its charge is a retry; longer than a client waits. */
  retryWindowSeconds: 120,
  /** A caller's own idempotency key holds this long. */
  idempotencyKeyHours: 24,
  idempotencyKeyCharactersMax: 255,
  creditTransactionsDefault: 100,
  creditTransactionsActivity: 200,
  creditTransactionsShellMax: 500,
  creditTransactionsExportMax: 10_000,
  usageDaysDefault: 30,
  usageDaysMax: 366,
  /** `owner/name`, or the address of a page. */
  repositoryNameCharactersMax: 500,
  /** git itself takes names of 255 bytes. */
  repositoryRefCharactersMax: 255,
  repositoryFolderCharactersMax: 1_000,
  hostedRepositoriesListed: 30,
  /** More repositories of one account are not looked at: 20 pages of 100. */
  hostedRepositoriesRead: 2_000,
  /** Branches, and tags, of one repository. */
  hostedRefsListed: 100,
  /** From the click to the way back from GitHub. */
  hostingAttemptMinutes: 10,
  /** GitHub's own limit is 25 MB; a push that tells more is noticed by looking. */
  hostingEventBytesMax: 5_000_000,
} as const;
