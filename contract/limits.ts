/** Business constants; the unit is in the name. One by one, so that a page carries those it uses. */
export const callTimeoutSeconds = 70;
/** Body of one request. Far above any call; a longer query is refused by its length, not by this. */
export const requestBytesMax = 1_000_000;
export const queryCharactersMax = 6_000;
export const urlCharactersMax = 4_096;
export const keyNameCharactersMax = 100;
/** Keys of one person that are not revoked, over all their teams. */
export const keysPerPersonMax = 100;
export const keysMadePerHourMax = 60;
/** Sessions that the agents of one person open. */
export const mcpSessionsPerHourMax = 10_000;
/** How often one person may have keys shown. */
export const keyRevealsPerHourMax = 60;
export const moduleIdCharactersMax = 120;
/** Tokens (o200k_base) of one search answer unless the caller names a budget. */
export const searchTokensDefault = 2_000;
/** Tokens of one read unless the caller names a budget: a page over this is cut to its start and the parts most similar to the searches. */
export const readTokensDefault = 5_000;
/** A read of a section that was sent before brings the rest of its page that answers best, up to this, unless the caller names a budget. */
export const readRestTokensMax = 2_000;
export const budgetTokensMin = 100;
export const budgetTokensMax = 10_000;
export const searchResultsMax = 20;
/** Pages that a search names at least where that many match; those beyond its passages by their address alone. */
export const searchPagesAimed = 5;
export const modulePagesListed = 50;
export const modulePagesListedMax = 200;
/** Passages of one answer about a page: some 20,000 tokens. */
export const documentSnippetsPerPart = 60;
/** Headings that the outline of a page names; beyond them the innermost are left out. */
export const documentOutlineMax = 600;
/** Markdown of one page in one piece: more than any reader takes. */
export const documentMarkdownTokensMax = 100_000;
export const pagesPerJobMax = 100_000;
export const depthPerJobMax = 100;
export const seedsPerJobMax = 200;
export const jobRunsListed = 100;
/** Beyond those: the newest run of each source that is in progress or failed. */
export const jobRunsCurrentMax = 500;
/** Entries of a run's log that are kept; all are counted. */
export const jobLogEntriesMax = 2_000;
export const jobLogPageMax = 200;
/** Questions made from the headings and index entries of a module. */
export const probesGeneratedMax = 30;
/** Questions that people give a module. */
export const probesGivenMax = 100;
export const probeQuestionCharactersMax = 300;
/** Tokens that an agent reads on for the answer to a probe question. */
export const probeTokensMax = 2_000;
/** With fewer questions, a version is worse only if it is a site’s and answers none of them. */
export const probesJudgedMin = 5;
/** A site or folder that was not read for this long is pointed out as stale. */
export const sourceStaleDays = 30;
export const pdfSetsPerWorkspaceMax = 100;
/** Files of one set, uploads in progress included. */
export const pdfFilesPerSetMax = 200;
/** 100 MB, by the larger of its two meanings. */
export const pdfFileBytesMax = 104_857_600;
export const pdfFileNameCharactersMax = 500;
/** A name is cut to this when it is cleaned. */
export const pdfShownNameCharactersMax = 200;
/** What a client sends at once of a file; a lost connection loses no more than this. */
export const pdfPartBytes = 8_388_608;
export const pdfPartBytesMax = 16_777_216;
/** Of one upload: each is a file of its own until the last has come. */
export const pdfPartsMax = 2_000;
export const pdfUploadLifetimeHours = 24;
/** PDF files of a site, a folder or a repository that are read. */
export const pdfFilesPerSourceMax = 100;
/** From the first byte of a PDF file to the last; a slow host sends a large one for long. */
export const pdfFetchSeconds = 300;
/** Pages of one file that are read; a set of manuals has some hundreds each. */
export const pdfPagesPerFileMax = 10_000;
/** A long private key has some 3,500 characters, a fat cookie header 8,000. */
export const sourceSecretCharactersMax = 16_000;
export const sourceCredentialsMax = 200;
/** How long a long poll for live changes may wait. */
export const livePollSecondsMin = 5;
export const livePollSecondsMax = 30;
/** Least room for what a browser keeps of its reads, where someone lets it. */
export const localCacheBytesMin = 1_048_576;
export const signInLinkLifetimeMinutes = 60;
export const webSessionLifetimeDays = 30;
/** How long a browser counts as one that a person signed in with before. */
export const deviceLifetimeDays = 365;
export const webSessionLastSeenEveryMinutes = 5;
export const identityTokenLifetimeMinutes = 60;
/** How long ago one may have signed in to do what cannot be undone without giving the password again. */
export const recentSignInMinutes = 5;
export const passwordCharactersMin = 6;
export const passwordCharactersMax = 1_024;
/** RFC 5321: 64 for the part before the @, 255 for the one after it. */
export const emailCharactersMax = 320;
export const displayNameCharactersMax = 200;
export const resetCodeLifetimeHours = 1;
export const verificationCodeLifetimeHours = 24;
/** How long the screen says that a password was reset before it goes on to the sign-in screen. */
export const resetRedirectSeconds = 3;
export const keyLastUsedEveryMinutes = 5;
/** Query of an authorization request, with its addresses and its state. */
export const connectionRequestCharactersMax = 8_000;
/** From a person's consent to the exchange by the application, which follows at once. */
export const connectionCodeLifetimeSeconds = 120;
export const connectionAccessLifetimeSeconds = 3_600;
/** A connection that is not used for this long ends. */
export const connectionRefreshLifetimeDays = 30;
/** How long an exchanged refresh token brings the same new tokens again. */
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
/** How long the last reading stands while the site cannot be reached. */
export const clientDocumentStaleDays = 30;
/** An application that registered and was never let in is forgotten after this. */
export const clientUnusedDays = 3;
/** An application that was let in once, and is not connected any more, is forgotten after this. */
export const clientIdleDays = 90;
export const teamNameCharactersMax = 100;
export const invitesPerCallMax = 100;
export const inviteLifetimeDays = 7;
export const inviteResendSeconds = 60;
/** How often the record that proves a team's domain is looked for. */
export const signOnCheckHours = 24;
/** How long a domain stays the team's while its record is missing. */
export const signOnGraceDays = 5;
/** Accounts that the provider of one team makes in a day, where plans limit anything and no operator vouches for the domain. */
export const signOnAccountsPerDayMax = 200;
/** Pending invites and members of one team. */
export const teamMembersMax = 1_000;
export const teamsPerPersonMax = 50;
/** Teams that one person founded and that have no paid plan, where plans limit anything. */
export const freeTeamsPerPersonMax = 5;
export const peopleListedDefault = 50;
export const peopleListedMax = 200;
export const auditEntriesDefault = 50;
export const auditEntriesMax = 200;
export const auditExportMax = 10_000;
/** Calls of one account that cost nothing and are on record, in 24 hours; the sums of days have all. */
export const freeReceiptsPerDayMax = 10_000;
/** Entries that one account adds in 24 hours by changes that can be repeated at will, such as a new name. */
export const repeatedChangesPerDayMax = 5_000;
/** Actions, credits, and calls of agents, in a person's export of their data: it is made in memory. */
export const personalDataRowsMax = 100_000;
export const promotionCodeCharactersMax = 100;
export const promotionTriesPerHourMax = 20;
/** Invitation emails of a person on the Free plan, in teams without a plan, where plans limit anything. */
export const freeInvitesPerDayMax = 50;
export const creditPacksPerPurchaseMax = 100;
/** Given or taken by the operator at once. */
export const creditsAdjustedMax = 10_000_000;
/** An agent without a session id is the same agent for this long after its last call. */
export const agentMemoryMinutes = 30;
/** What was sent in a session is forgotten this long after its last call. */
export const agentSessionDays = 30;
/** Tokens and passages of an answer to someone who tries the search without an account. */
export const trySearchTokens = 600;
export const trySearchResultsMax = 4;
export const trySearchSuggestionsMax = 5;
export const showcaseModulesMax = 8;
/** What an agent without a documentation search spends on one look-up; savings are counted against it. */
export const baselineTokens = 10_000;
/** Given to every new account, once; they never expire. */
export const initialCredits = 200;
export const searchCredits = 1;
export const readCredits = 1;
/** The same call of the same caller within this time of its charge is a retry; longer than a client waits. */
export const retryWindowSeconds = 120;
/** A caller's own idempotency key holds this long. */
export const idempotencyKeyHours = 24;
export const idempotencyKeyCharactersMax = 255;
export const creditTransactionsDefault = 100;
export const creditTransactionsActivity = 200;
export const creditTransactionsShellMax = 500;
export const creditTransactionsExportMax = 10_000;
export const usageDaysDefault = 30;
/** Newest transactions on the dashboard. */
export const recentTransactions = 7;
export const usageDaysMax = 366;
/** Conversations in the savings ledger, the last ones. */
export const savingsSessionsListed = 20;
export const savingsKeysListed = 100;
/** `owner/name`, or the address of a page. */
export const repositoryNameCharactersMax = 500;
/** git itself takes names of 255 bytes. */
export const repositoryRefCharactersMax = 255;
export const repositoryFolderCharactersMax = 1_000;
export const hostedRepositoriesListed = 30;
/** Sources that one key or application may ask for within 24 hours. */
export const indexRequestsPerDayMax = 20;
export const indexRequestLifetimeDays = 7;
/** What was declined is not asked again for this long. */
export const indexRequestDeclinedHours = 24;
/** Requests that were answered or expired are kept this long. */
export const indexRequestsKeptDays = 90;
export const indexRequestsListed = 100;
/** Questions which library or version is meant, in one conversation. */
export const whichQuestionsPerConversation = 3;
/** Candidates that a person is offered. */
export const whichCandidatesMax = 6;
/** How long an agent waits for the person at its client; clients give up after 60 s. */
export const indexConsentWaitSeconds = 45;
/** How long an agent waits for the run it asked for before it gets a progress report. */
export const indexRunWaitSeconds = 10;
/** More repositories of one account are not looked at: 20 pages of 100. */
export const hostedRepositoriesRead = 2_000;
/** Branches, and tags, of one repository. */
export const hostedRefsListed = 100;
/** From the click to the way back from GitHub. */
export const hostingAttemptMinutes = 10;
export const profileNameCharactersMax = 100;
export const profilesPerWorkspaceMax = 200;
export const profileFilesMax = 100;
/** All lockfiles of a project together, as JSON; large projects of many parts have 5 MB. */
export const profileBytesMax = 20_000_000;
export const profileLibrariesMax = 50_000;
export const pinnedLibrariesListed = 200;
/** In one call; the registries are asked a few at a time. */
export const librariesLookedUpMax = 25;
/** In one call, so that one click does not fill the queue. */
export const librariesIndexedAtOnceMax = 25;
/** How long the answer of a registry is taken for what it says now. */
export const registryAnswerDays = 7;
/** GitHub's own limit is 25 MB; a push that tells more is noticed by looking. */
export const hostingEventBytesMax = 5_000_000;
export const chatQuestionCharactersMax = 2_000;
/** Of one answer, as it is kept; a model is held to fewer tokens than this has room for. */
export const chatAnswerCharactersMax = 24_000;
export const chatTitleCharactersMax = 120;
/** Questions and answers of one conversation. */
export const chatMessagesMax = 200;
/** Conversations kept of one person in one workspace; a new one takes the place of the oldest. */
export const chatsKept = 200;
export const chatsListed = 30;
export const chatMessagesListed = 40;
/** Turns before this one that a model is given; older ones say little about the question. */
export const chatEarlierTurnsMax = 4;
/** Tokens of the passages that one search of a chat brings. */
export const chatSearchTokens = 2_500;
/** Tokens of a page that a model asks to read on in. */
export const chatReadTokens = 1_500;
/** Calls of the model for one answer: after so many searches and reads it has to write. */
export const chatStepsMax = 4;
/** Searches and reads for one answer; each may cost a credit. */
export const chatToolCallsMax = 5;
export const chatModelTokensMax = 2_000;
/** Silence of the model after which it counts as failed. */
export const chatModelSilenceSeconds = 45;
/** From the question to the end of the answer. */
export const chatAnswerSeconds = 120;
/** Questions of visitors from one network, and how long a full count holds. */
export const chatVisitorQuestionsMax = 10;
export const chatVisitorMinutes = 10;
/** Questions of one person in the same time. */
export const chatPersonQuestionsMax = 60;
/** Answers being written at a time for one person, or for visitors from one network. */
export const chatAnswersAtOnceMax = 4;
/** Questions of all visitors in an hour: what a model costs the operator at most. */
export const chatAllVisitorsQuestionsMax = 600;
