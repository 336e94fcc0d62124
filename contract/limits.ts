/** Business constants; the unit is in the name. */
export const limits = {
  callTimeoutSeconds: 70,
  /** Body of one request. Far above any call; a longer query is refused by its length, not by this. */
  requestBytesMax: 1_000_000,
  queryCharactersMax: 6_000,
  urlCharactersMax: 4_096,
  keyNameCharactersMax: 100,
  /** Keys of one person that are not revoked, over all their teams. */
  keysPerPersonMax: 100,
  keysMadePerHourMax: 60,
  /** Sessions that the agents of one person open. */
  mcpSessionsPerHourMax: 10_000,
  /** How often one person may have keys shown. */
  keyRevealsPerHourMax: 60,
  moduleIdCharactersMax: 120,
  /** Tokens (o200k_base) of one search answer unless the caller names a budget. */
  searchTokensDefault: 2_000,
  /** Tokens of one read unless the caller names a budget: a page over this is cut to its start and the parts most similar to the searches. */
  readTokensMax: 5_000,
  /** A read of a section that was sent before brings the rest of its page that answers best, up to this, unless the caller names a budget. */
  readRestTokensMax: 2_000,
  budgetTokensMin: 100,
  budgetTokensMax: 10_000,
  searchResultsMax: 20,
  /** Pages that a search names at least where that many match; those beyond its passages by their address alone. */
  searchPagesAimed: 5,
  modulePagesListed: 50,
  modulePagesListedMax: 200,
  /** Passages of one answer about a page: some 20,000 tokens. */
  documentSnippetsPerPart: 60,
  /** Headings that the outline of a page names; beyond them the innermost are left out. */
  documentOutlineMax: 600,
  /** Markdown of one page in one piece: more than any reader takes. */
  documentMarkdownTokensMax: 100_000,
  pagesPerJobMax: 100_000,
  depthPerJobMax: 100,
  seedsPerJobMax: 200,
  jobRunsListed: 100,
  /** Beyond those: the newest run of each source that is in progress or failed. */
  jobRunsCurrentMax: 500,
  /** Entries of a run's log that are kept; all are counted. */
  jobLogEntriesMax: 2_000,
  jobLogPageMax: 200,
  /** Questions made from the headings and index entries of a module. */
  probesGeneratedMax: 30,
  /** Questions that people give a module. */
  probesGivenMax: 100,
  probeQuestionCharactersMax: 300,
  /** Tokens that an agent reads on for the answer to a probe question. */
  probeTokensMax: 2_000,
  /** With fewer questions nothing is judged. */
  probesJudgedMin: 5,
  /** A site or folder that was not read for this long is pointed out as stale. */
  sourceStaleDays: 30,
  pdfSetsPerWorkspaceMax: 100,
  /** Files of one set, uploads in progress included. */
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
  /** PDF files of a site, a folder or a repository that are read. */
  pdfFilesPerSourceMax: 100,
  /** From the first byte of a PDF file to the last; a slow host sends a large one for long. */
  pdfFetchSeconds: 300,
  /** Pages of one file that are read; a set of manuals has some hundreds each. */
  pdfPagesPerFileMax: 10_000,
  /** A long private key has some 3,500 characters, a fat cookie header 8,000. */
  sourceSecretCharactersMax: 16_000,
  sourceCredentialsMax: 200,
  /** How long a long poll for live changes may wait. */
  livePollSecondsMin: 5,
  livePollSecondsMax: 30,
  /** Least room for what a browser keeps of its reads, where someone lets it. */
  localCacheBytesMin: 1_048_576,
  signInLinkLifetimeMinutes: 60,
  webSessionLifetimeDays: 30,
  /** How long a browser counts as one that a person signed in with before. */
  deviceLifetimeDays: 365,
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
  /** How long an exchanged refresh token brings the same new tokens again. */
  connectionRefreshRepeatSeconds: 60,
  clientNameCharactersMax: 80,
  clientRedirectsMax: 10,
  clientRedirectCharactersMax: 2_000,
  clientRegistrationBytesMax: 16_000,
  /** The draft for client metadata documents recommends 5 KB; some list many addresses. */
  clientDocumentBytesMax: 10_000,
  clientDocumentTimeoutSeconds: 5,
  clientDocumentMinutesMin: 5,
  clientDocumentMinutesMax: 24 * 60,
  /** How long the last reading stands while the site cannot be reached. */
  clientDocumentStaleDays: 30,
  /** An application that registered and was never let in is forgotten after this. */
  clientUnusedDays: 3,
  /** An application that was let in once, and is not connected any more, is forgotten after this. */
  clientIdleDays: 90,
  teamNameCharactersMax: 100,
  invitesPerCallMax: 100,
  inviteLifetimeDays: 7,
  inviteResendSeconds: 60,
  /** How often the record that proves a team's domain is looked for. */
  signOnCheckHours: 24,
  /** How long a domain stays the team's while its record is missing. */
  signOnGraceDays: 5,
  /** Accounts that the provider of one team makes in a day, where plans limit anything and no operator vouches for the domain. */
  signOnAccountsPerDayMax: 200,
  /** Pending invites and members of one team. */
  teamMembersMax: 1_000,
  teamsPerPersonMax: 50,
  /** Teams that one person founded and that have no paid plan, where plans limit anything. */
  freeTeamsPerPersonMax: 5,
  peopleListedDefault: 50,
  peopleListedMax: 200,
  auditEntriesDefault: 50,
  auditEntriesMax: 200,
  auditExportMax: 10_000,
  promotionCodeCharactersMax: 100,
  promotionTriesPerHourMax: 20,
  /** Invitation emails of a person on the Free plan, in teams without a plan, where plans limit anything. */
  freeInvitesPerDayMax: 50,
  creditPacksPerPurchaseMax: 100,
  /** Given or taken by the operator at once. */
  creditsAdjustedMax: 10_000_000,
  /** An agent without a session id is the same agent for this long after its last call. */
  agentMemoryMinutes: 30,
  /** What was sent in a session is forgotten this long after its last call. */
  agentSessionDays: 30,
  /** Tokens and passages of an answer to someone who tries the search without an account. */
  trySearchTokens: 600,
  trySearchResultsMax: 4,
  trySearchSuggestionsMax: 5,
  showcaseModulesMax: 8,
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
  /** Newest transactions on the dashboard. */
  recentTransactions: 7,
  usageDaysMax: 366,
  /** Conversations in the savings ledger, the last ones. */
  savingsSessionsListed: 20,
  savingsKeysListed: 100,
  /** `owner/name`, or the address of a page. */
  repositoryNameCharactersMax: 500,
  /** git itself takes names of 255 bytes. */
  repositoryRefCharactersMax: 255,
  repositoryFolderCharactersMax: 1_000,
  hostedRepositoriesListed: 30,
  /** Sources that one key or application may ask for within 24 hours. */
  indexRequestsPerDayMax: 20,
  indexRequestLifetimeDays: 7,
  /** What was declined is not asked again for this long. */
  indexRequestDeclinedHours: 24,
  /** Requests that were answered or expired are kept this long. */
  indexRequestsKeptDays: 90,
  indexRequestsListed: 100,
  /** Questions which library or version is meant, in one conversation. */
  whichQuestionsPerConversation: 3,
  /** Candidates that a person is offered. */
  whichCandidatesMax: 6,
  /** How long an agent waits for the person at its client; clients give up after 60 s. */
  indexConsentWaitSeconds: 45,
  /** How long an agent waits for the run it asked for before it gets a progress report. */
  indexRunWaitSeconds: 10,
  /** More repositories of one account are not looked at: 20 pages of 100. */
  hostedRepositoriesRead: 2_000,
  /** Branches, and tags, of one repository. */
  hostedRefsListed: 100,
  /** From the click to the way back from GitHub. */
  hostingAttemptMinutes: 10,
  profileNameCharactersMax: 100,
  profilesPerWorkspaceMax: 200,
  profileFilesMax: 100,
  /** All lockfiles of a project together, as JSON; large projects of many parts have 5 MB. */
  profileBytesMax: 20_000_000,
  profileLibrariesMax: 50_000,
  pinnedLibrariesListed: 200,
  /** In one call; the registries are asked a few at a time. */
  librariesLookedUpMax: 25,
  /** In one call, so that one click does not fill the queue. */
  librariesIndexedAtOnceMax: 25,
  /** How long the answer of a registry is taken for what it says now. */
  registryAnswerDays: 7,
  /** GitHub's own limit is 25 MB; a push that tells more is noticed by looking. */
  hostingEventBytesMax: 5_000_000,
  chatQuestionCharactersMax: 2_000,
  /** Of one answer, as it is kept; a model is held to fewer tokens than this has room for. */
  chatAnswerCharactersMax: 24_000,
  chatTitleCharactersMax: 120,
  /** Questions and answers of one conversation. */
  chatMessagesMax: 200,
  /** Conversations kept of one person in one workspace; a new one takes the place of the oldest. */
  chatsKept: 200,
  chatsListed: 30,
  chatMessagesListed: 40,
  /** Turns before this one that a model is given; older ones say little about the question. */
  chatEarlierTurnsMax: 4,
  /** Tokens of the passages that one search of a chat brings. */
  chatSearchTokens: 2_500,
  /** Tokens of a page that a model asks to read on in. */
  chatReadTokens: 1_500,
  /** Calls of the model for one answer: after so many searches and reads it has to write. */
  chatStepsMax: 4,
  /** Searches and reads for one answer; each may cost a credit. */
  chatToolCallsMax: 5,
  chatModelTokensMax: 2_000,
  /** Silence of the model after which it counts as failed. */
  chatModelSilenceSeconds: 45,
  /** From the question to the end of the answer. */
  chatAnswerSeconds: 120,
  /** Questions of visitors from one network, and how long a full count holds. */
  chatVisitorQuestionsMax: 10,
  chatVisitorMinutes: 10,
  /** Questions of one person in the same time. */
  chatPersonQuestionsMax: 60,
  /** Questions of all visitors in an hour: what a model costs the operator at most. */
  chatAllVisitorsQuestionsMax: 600,
} as const;
