/**
 * Business constants; the unit is in the name. Separate exports, so that a page's bundle contains only those it uses.
 */
export const callTimeoutSeconds = 70;
/** Request body. Far above any call's size; a longer query is refused for its own length. */
export const requestBytesMax = 1_000_000;
/** Most items of lists and fields of objects in the body of a request, together; an empty list or object adds one. */
export const valuesPerRequestMax = 10_000;
/** The same for a request over MCP: the protocol's error for an invalid message lists every fault. */
export const valuesPerMessageMax = 1_000;
export const queryCharactersMax = 6_000;
export const urlCharactersMax = 4_096;
/** An address that the database looks up; PostgreSQL's indexes take up to 2,704 bytes. */
export const indexedAddressBytesMax = 2_000;
export const keyNameCharactersMax = 100;
/** A person's active keys in all their teams. */
export const keysPerPersonMax = 100;
/** Revoked keys in a list, besides all active ones. */
export const revokedKeysListed = 200;
export const keysMadePerHourMax = 60;
/** Sessions opened by a person's agents. */
export const mcpSessionsPerHourMax = 10_000;
/** Keys that a person may reveal. */
export const keyRevealsPerHourMax = 60;
export const moduleIdCharactersMax = 120;
/** Tokens (o200k_base) of a search response without an explicit budget. */
export const searchTokensDefault = 2_000;
/**
 * Tokens of a read without an explicit budget: a longer page is cut to its start and the sections most similar to the
 * searches.
 */
export const readTokensDefault = 5_000;
/**
 * Maximum tokens of a read of a section that was already sent: it returns the most relevant rest of the page. An
 * explicit budget overrides it.
 */
export const readRestTokensMax = 2_000;
export const budgetTokensMin = 100;
export const budgetTokensMax = 10_000;
export const searchResultsMax = 20;
/** Pages that a search names if that many match; pages without a passage are listed by address only. */
export const searchPagesAimed = 5;
export const modulePagesListed = 50;
export const modulePagesListedMax = 200;
/** Passages in one response about a page: about 20,000 tokens. */
export const documentSnippetsPerPart = 60;
/** Headings in a page's outline; beyond them, the innermost levels are left out. */
export const documentOutlineMax = 600;
/** Maximum Markdown of a page in one response: more than any reader takes. */
export const documentMarkdownTokensMax = 100_000;
export const pagesPerJobMax = 100_000;
export const depthPerJobMax = 100;
export const seedsPerJobMax = 200;
/** Of all start addresses of a run: each search reads them with their source. */
export const seedCharactersMax = 20_000;
export const jobRunsListed = 100;
/** Additional runs listed: the newest of each source that is in progress or failed. */
export const jobRunsCurrentMax = 500;
/** Entries stored in a run's log; all are counted. */
export const jobLogEntriesMax = 2_000;
export const jobLogPageMax = 200;
/** Questions generated from a module's headings and index entries. */
export const probesGeneratedMax = 30;
/** Questions that people add to a module. */
export const probesGivenMax = 100;
export const probeQuestionCharactersMax = 300;
/** Tokens that an agent reads to find the answer to a probe question. */
export const probeTokensMax = 2_000;
/** With fewer questions, a version is rated worse only if its source is a site and it answers none of them. */
export const probesJudgedMin = 5;
/** A site or folder not read for this long is marked as stale. */
export const sourceStaleDays = 30;
export const pdfSetsPerWorkspaceMax = 100;
/** Files in a set, including uploads in progress. */
export const pdfFilesPerSetMax = 200;
/** 100 MiB, the larger meaning of "100 MB". */
export const pdfFileBytesMax = 104_857_600;
export const pdfFileNameCharactersMax = 500;
/** Sanitised names are cut to this length. */
export const pdfShownNameCharactersMax = 200;
/** Size of an upload part; a lost connection loses at most one. */
export const pdfPartBytes = 8_388_608;
export const pdfPartBytesMax = 16_777_216;
/** Each part is a separate file until the last one arrives, so an upload has one per so many bytes, and some more. */
export const pdfBytesPerPartMin = 50_000;
export const pdfSmallPartsMax = 20;
export const pdfUploadLifetimeHours = 24;
/** PDF files read from a site, a folder or a repository. */
export const pdfFilesPerSourceMax = 100;
/** Time to download a PDF file; slow hosts need long for large ones. */
export const pdfFetchSeconds = 300;
/** Pages read from a file; a set of manuals has some hundreds each. */
export const pdfPagesPerFileMax = 10_000;
/** A long private key has about 3,500 characters, a large cookie header 8,000. */
export const sourceSecretCharactersMax = 16_000;
export const sourceCredentialsMax = 200;
/** Wait time of a long poll for live changes. */
export const livePollSecondsMin = 5;
export const livePollSecondsMax = 30;
/** Minimum size of the browser's optional local cache of reads. */
export const localCacheBytesMin = 1_048_576;
export const signInLinkLifetimeMinutes = 60;
export const webSessionLifetimeDays = 30;
/** Browsers in which one account is signed in; a further sign-in ends the session that was used longest ago. */
export const webSessionsPerPersonMax = 1_000;
/** How long a browser is remembered as known after a sign-in. */
export const deviceLifetimeDays = 365;
export const webSessionLastSeenEveryMinutes = 5;
export const identityTokenLifetimeMinutes = 60;
/** Irreversible actions require a sign-in within this time, or the password again. */
export const recentSignInMinutes = 5;
export const passwordCharactersMin = 6;
export const passwordCharactersMax = 1_024;
/** RFC 5321: 64 for the part before the @, 255 for the one after it. */
export const emailCharactersMax = 320;
export const displayNameCharactersMax = 200;
export const resetCodeLifetimeHours = 1;
export const verificationCodeLifetimeHours = 24;
/** How long the screen confirms a password reset before it opens the sign-in screen. */
export const resetRedirectSeconds = 3;
export const keyLastUsedEveryMinutes = 5;
/** Query string of an authorization request, including its addresses and state. */
export const connectionRequestCharactersMax = 8_000;
/** From a user's consent to the application's token exchange, which follows immediately. */
export const connectionCodeLifetimeSeconds = 120;
export const connectionAccessLifetimeSeconds = 3_600;
/** An unused connection ends after this. */
export const connectionRefreshLifetimeDays = 30;
/** Exchanges of refresh tokens; each adds rows that are kept until the tokens expire. */
export const connectionRefreshesPerDayMax = 1_000;
/** Applications that one person has connected at a time. */
export const connectionsPerPersonMax = 1_000;
/** How long an exchanged refresh token returns the same new tokens again. */
export const connectionRefreshRepeatSeconds = 60;
export const clientNameCharactersMax = 80;
export const clientRedirectsMax = 10;
export const clientRedirectCharactersMax = 2_000;
export const clientRegistrationBytesMax = 16_000;
/** The draft for client metadata documents recommends 5 KB; some list many addresses. */
export const clientDocumentBytesMax = 10_000;
export const clientDocumentTimeoutSeconds = 5;
export const clientDocumentMinutesMin = 5;
export const clientDocumentMinutesMax = 24 * 60;
/** How long the last fetched document stays valid while the site is unreachable. */
export const clientDocumentStaleDays = 30;
/** A registered application that no user ever authorized is deleted after this. */
export const clientUnusedDays = 3;
/** An application that was authorized once and is no longer connected is deleted after this. */
export const clientIdleDays = 90;
export const teamNameCharactersMax = 100;
export const invitesPerCallMax = 100;
export const inviteLifetimeDays = 7;
export const inviteResendSeconds = 60;
/** Interval between checks of the DNS record that proves a team's domain. */
export const signOnCheckHours = 24;
/** How long a team keeps its domain while the record is missing. */
export const signOnGraceDays = 5;
/** Accounts that a team's provider creates in a day, if plans have limits and no operator vouches for the domain. */
export const signOnAccountsPerDayMax = 200;
/** A team's members and pending invites. */
export const teamMembersMax = 1_000;
export const teamsPerPersonMax = 50;
/** Teams without a paid plan that a person founded, if plans have limits. */
export const freeTeamsPerPersonMax = 5;
export const peopleListedDefault = 50;
export const peopleListedMax = 200;
export const auditEntriesDefault = 50;
export const auditEntriesMax = 200;
export const auditExportMax = 10_000;
/** Calls of one account that cost nothing and are on record, in 24 hours; the sums of days have all. */
export const freeReceiptsPerDayMax = 10_000;
/** Entries that an account adds in 24 hours by changes that can be repeated freely, such as renaming. */
export const repeatedChangesPerDayMax = 5_000;
/** Actions, credits, and calls of agents, in a person's export of their data. */
export const personalDataRowsMax = 100_000;
export const promotionCodeCharactersMax = 100;
export const promotionTriesPerHourMax = 20;
/** Invitation emails by a person on the Free plan in teams without a plan, if plans have limits. */
export const freeInvitesPerDayMax = 50;
export const creditPacksPerPurchaseMax = 100;
/** Credits that an operator gives or takes in one call. */
export const creditsAdjustedMax = 10_000_000;
/** Calls without a session id belong to the same agent until it is silent for this long. */
export const agentMemoryMinutes = 30;
/** A session's record of sent passages is deleted this long after its last call. */
export const agentSessionDays = 30;
/** Tokens and passages in a response to a visitor who tries the search without an account. */
export const trySearchTokens = 600;
export const trySearchResultsMax = 4;
export const trySearchSuggestionsMax = 5;
export const showcaseModulesMax = 8;
/** Tokens that an agent without documentation search spends on a look-up; savings are measured against it. */
export const baselineTokens = 10_000;
/** Given once to each new account; they never expire. */
export const initialCredits = 200;
export const searchCredits = 1;
export const readCredits = 1;
/**
 * An identical call by the same caller within this time after its charge counts as a retry; longer than a client's
 * timeout.
 */
export const retryWindowSeconds = 120;
/** How long a caller's own idempotency key is valid. */
export const idempotencyKeyHours = 24;
export const idempotencyKeyCharactersMax = 255;
export const creditTransactionsDefault = 100;
export const creditTransactionsActivity = 200;
export const creditTransactionsShellMax = 500;
export const creditTransactionsExportMax = 10_000;
export const usageDaysDefault = 30;
/** Most recent transactions on the dashboard. */
export const recentTransactions = 7;
export const usageDaysMax = 366;
/** Most recent conversations in the savings ledger. */
export const savingsSessionsListed = 20;
export const savingsKeysListed = 100;
/** `owner/name`, or a page's address. */
export const repositoryNameCharactersMax = 500;
/** git itself limits names to 255 bytes. */
export const repositoryRefCharactersMax = 255;
export const repositoryFolderCharactersMax = 1_000;
export const hostedRepositoriesListed = 30;
/** Sources that a key or application may request within 24 hours. */
export const indexRequestsPerDayMax = 20;
export const indexRequestLifetimeDays = 7;
/** A declined source cannot be requested again for this long. */
export const indexRequestDeclinedHours = 24;
/** How long answered or expired requests are kept. */
export const indexRequestsKeptDays = 90;
export const indexRequestsListed = 100;
/** Questions per conversation about which library or version is meant. */
export const whichQuestionsPerConversation = 3;
/** Candidates offered to a person. */
export const whichCandidatesMax = 6;
/** How long an agent waits for its user's consent; clients time out after 60 s. */
export const indexConsentWaitSeconds = 45;
/** How long an agent waits for a requested run before it gets a progress report. */
export const indexRunWaitSeconds = 10;
/** Repositories read per account: 20 pages of 100. */
export const hostedRepositoriesRead = 2_000;
/** Branches, and as many tags, listed per repository. */
export const hostedRefsListed = 100;
/** Time from the click to GitHub's redirect back. */
export const hostingAttemptMinutes = 10;
export const profileNameCharactersMax = 100;
export const profilesPerWorkspaceMax = 200;
export const profileFilesMax = 100;
/** All lockfiles of a project as JSON; large monorepos have 5 MB. */
export const profileBytesMax = 20_000_000;
export const profileLibrariesMax = 50_000;
export const pinnedLibrariesListed = 200;
/** Per call; registries are queried a few at a time. */
export const librariesLookedUpMax = 25;
/** Per call, so that one click does not fill the queue. */
export const librariesIndexedAtOnceMax = 25;
/** How long a registry's response is considered current. */
export const registryAnswerDays = 7;
/** GitHub's own limit is 25 MB; a push whose event is larger is noticed by polling. */
export const hostingEventBytesMax = 5_000_000;
export const chatQuestionCharactersMax = 2_000;
/** A stored answer's length; the model's token limit allows less text than this. */
export const chatAnswerCharactersMax = 24_000;
export const chatTitleCharactersMax = 120;
/** Questions and answers in a conversation. */
export const chatMessagesMax = 200;
/** Conversations kept per person and workspace; a new one replaces the oldest. */
export const chatsKept = 200;
export const chatsListed = 30;
export const chatMessagesListed = 40;
/** Earlier turns given to the model; older ones are rarely relevant. */
export const chatEarlierTurnsMax = 4;
/** Tokens of passages from one search in a chat. */
export const chatSearchTokens = 2_500;
/** Tokens of a page that a model reads further in. */
export const chatReadTokens = 1_500;
/** Model calls per answer: after the last search or read, it must write. */
export const chatStepsMax = 4;
/** Searches and reads per answer; each may cost a credit. */
export const chatToolCallsMax = 5;
export const chatModelTokensMax = 2_000;
/** A model silent for this long counts as failed. */
export const chatModelSilenceSeconds = 45;
/** Time from the question to the end of the answer. */
export const chatAnswerSeconds = 120;
/** Questions by visitors from one network within `chatVisitorMinutes`. */
export const chatVisitorQuestionsMax = 10;
export const chatVisitorMinutes = 10;
/** Questions by one person in the same time. */
export const chatPersonQuestionsMax = 60;
/** Answers in progress for one person, or for visitors from one network. */
export const chatAnswersAtOnceMax = 4;
/** Questions by all visitors in an hour; caps the operator's model costs. */
export const chatAllVisitorsQuestionsMax = 600;
