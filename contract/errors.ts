/**
 * The message for people of every error that callers may get, by its HTTP status; `{name}` is replaced by the error's
 * value. The page of the same name under docs/errors explains each code.
 */
const sentences = {
  400: {
    'invalid-input': 'The request is not valid: {reason}.',
    'query-empty': 'The query is empty. Say what you are looking for in a few words.',
    'query-too-long': 'The query has {length} characters; the limit is {limit}. Shorten it.',
    'weak-password': 'Password must be at least 6 characters long',
    'wrong-password': 'Incorrect password. Please try again',
    'invalid-email': 'Please enter a valid email address',
    'popup-blocked': 'Sign-in popup was blocked. Please allow popups and try again',
    'popup-closed-by-user': 'Sign-in was cancelled',
    'missing-password': 'Please enter a password',
    'missing-email': 'Please enter an email address',
    'service-email-missing': '{service} gave no valid email address for this account. Add one there, then try again.',
    'sign-in-failed': 'An error occurred. Please try again',
    'invalid-action-code': 'This password reset link is invalid or has expired.',
    'conf-link-invalid': 'This link was used or has expired. Sign up again, or use the link in the newest email.',
    'verification-failed': 'Failed to verify email. The link may have expired.',
    'team-name-empty': 'Team name is required',
    'domain-invalid': '"{domain}" is not a domain. Enter it as example.org.',
    'issuer-unusable': 'The provider at {issuer} cannot be used: {reason}.',
    'client-secret-missing': 'Enter the client secret from the provider.',
    'key-name-empty': 'API key name is required',
    'consent-refused': '{reason}',
    'source-refused': '{reason}',
    'pdf-file-empty': '{name} is empty. Choose the file again.',
    'source-credential-refused': 'This credential cannot be stored: {reason}.',
    'hosting-state-refused':
      'This connection was not started in this browser, was already completed, or took too long. Start again.',
    'hosting-cancelled': 'GitHub was not connected because you did not grant access there. Start again to grant it.',
    'lockfiles-unreadable': 'No lockfile could be read. {reason}',
    'question-empty': 'The question is empty. Ask something the documentation may answer.',
    'question-too-long': 'The question has {length} characters; the limit is {limit}. Shorten it.',
    'chat-title-empty': 'A conversation needs a title.',
    'price-unknown': 'No plan has this price. Reload the page and choose again.',
    'credit-amount-refused': 'Credits are sold in packs of {pack}, up to {most} at once. Choose a multiple of {pack}.',
    'seat-not-assignable': 'Paid seats are for members who accepted their invite. Reload the list and choose again.',
    'webhook-refused': "The event's signature is not valid.",
  },
  401: {
    'invalid-credential': 'Invalid email or password',
    unauthenticated: 'Sign in first.',
    'key-missing': 'No API key was sent. Send it as "Authorization: Bearer lec_…"; create one at {address}/keys.',
    'key-refused':
      'This API key is not accepted: it is unknown, revoked or mistyped. Copy the whole key again, or create a new one at {address}/keys.',
    'connection-refused': 'This access has expired or was revoked. Connect again through the browser.',
    'sign-in-link-refused': 'This sign-in link was used or has expired. Create a new one with "lectern link".',
  },
  402: {
    'payment-declined':
      'The payment was declined, and nothing was changed. Change the card in the billing portal and try again.',
  },
  403: {
    'operation-not-allowed': 'This sign-in method is not enabled',
    'unauthorized-domain': 'This domain is not authorized for sign-in',
    'sign-up-closed': 'Sign-up is closed. Ask the operator for an account for {email}.',
    'github-not-configured': 'GitHub authentication is not configured',
    'verification-needs-password':
      'Choose a password to verify {email}, or open the link in the browser you signed up with. Nothing is verified yet.',
    'verification-needs-sign-in':
      'Sign in to this account in this browser, then open the link again. Nothing is verified yet.',
    'recent-sign-in-needed': 'Enter your password, or sign in again, to confirm that it is you.',
    'operator-not-deletable': 'This account runs the installation and cannot be deleted.',
    'account-disabled': 'This account is disabled. Ask the people who run this installation.',
    'key-shown-once': "This team's keys are shown only when they are created. Create a new one.",
    'key-right-missing':
      'This API key does not have the right “{right}”. Create a key that has it on the API Keys page.',
    'email-not-verified': 'Verify your email',
    'invite-for-other-address': 'This invitation was sent to {email}. Sign in with that address to accept it.',
    'sign-on-other-address': 'The provider signed in {email}, which is not an address of {domain}.',
    'origin-refused': 'Requests from this origin are not accepted.',
    'permission-denied': "You don't have permission to do this.{need}",
    'hosting-forbidden': "GitHub does not allow this. Check the application's permissions there.",
  },
  404: {
    'user-not-found': 'No account found with this email address',
    'session-not-found': 'Session not found. Reload the list.',
    'mail-not-found': 'Email not found. Reload the list.',
    'key-not-found': 'API key not found. Reload the list.',
    'team-not-found': 'Team not found. Choose one of your teams.',
    'membership-not-found': 'Member not found in this team. Reload the list.',
    'invite-not-found': "We couldn't find a team invitation linked to this URL.",
    'invite-not-pending': 'Your address has no pending invitation to this team.',
    'sign-on-not-found': 'This address has no single sign-on. Sign in another way.',
    'connection-not-found': 'Connected application not found. Reload the list.',
    'not-found': 'Nothing exists at this address.',
    'module-not-found': 'Module "{module}" not found. Check its id.',
    'module-unknown': 'Module "{module}" not found. {next}.',
    'page-not-indexed': 'The page {url} is not in any module you can read and could not be fetched: {reason}.',
    'document-not-found':
      'The page {url} is not in any module you can read. Check the address, or choose another team.',
    'job-not-found': 'Run not found. Reload the list.',
    'pdf-set-not-found': 'PDF set not found. Reload the list.',
    'pdf-file-not-found': 'File not found in this PDF set. Reload the set.',
    'upload-not-found': 'Upload not found. Start it again.',
    'source-credential-not-found': 'Credential not found. Reload the list.',
    'hosting-repository-unreadable': 'GitHub has no repository "{repository}" that you can read.',
    'hosting-ref-not-found': '{repository} has no {kind} "{name}". Choose another.',
    'hosted-repository-not-found': 'Repository not found in this workspace. Reload the list.',
    'index-request-not-found': 'Request not found in this workspace. Reload the list.',
    'profile-not-found': 'Project not found. Check its name.',
    'chat-not-found': 'Conversation not found. Choose another, or start a new one.',
    'promotion-not-found': 'This promotion code is not valid.',
    'payment-not-refundable': 'This payment is not for a purchase of credits.',
    'incident-not-found': 'Incident not found. Check its id.',
  },
  405: {
    'method-not-allowed': 'This address does not support {method}. Use {allowed}.',
  },
  409: {
    'email-already-in-use': 'An account with this email already exists',
    'account-exists-with-different-credential': 'An account already exists with this email{next}',
    'service-of-another':
      'This {service} account is connected to another account here. Sign out first, or choose another.',
    'service-email-differs':
      'You are signed in as {current}. Use this email at {service}. To sign in as {email}, sign out first.',
    'signed-in-as-another': 'You are signed in as {current}. To sign in as {email}, sign out first.',
    'operator-kept': "Your own account and the local owner's stay operators and can't be disabled.",
    'account-not-verified':
      'Only an account with a verified email address can become an operator. Create a password link for it.',
    'keys-too-many': 'You already have {limit} API keys. Revoke one that you no longer use.',
    'key-revoked': "This API key is revoked and can't be shown.",
    'key-unreadable': "This API key was encrypted with a secret that is lost, so it can't be shown. Create a new one.",
    'too-many-teams': 'You are already in {limit} teams. Leave one first.',
    'too-many-free-teams':
      'You already created {limit} teams without a paid plan. Choose a plan for one of them, or delete one.',
    'team-full': 'A team can have at most {limit} members and invites. Remove some first.',
    'already-member': 'You are already a member of this team.',
    'last-admin': 'A team needs an admin. Make another member an admin first, or delete the team.',
    'last-admin-of-team':
      'This account is the last admin of the team "{team}". Make another member an admin, or delete the team, before you delete the account.',
    'invite-accepted': 'This person is already a member.',
    'domain-not-proved': 'No TXT record at {name} has the value {value} yet. New records can take a while to appear.',
    'domain-taken': 'Another team has proved that it owns {domain}.',
    'plan-full':
      'The {tier} plan has room for {pages} pages, {bytes} of index and {sources} sources, in all teams that share it. Remove sources, or choose a larger plan.',
    'job-already-running': 'An index run for "{module}" is already in progress. Wait for it or cancel it first.',
    'job-finished': 'This run has already ended.',
    'job-not-held': 'No version of this run is held back.',
    'quality-lowered':
      'Held back: the new version answers {after} of {probes} probe questions, the served one {before}. Its score, which counts tokens too, is {share} lower. Accept it, or fix the source and try again.',
    'module-changed': 'The module has changed. Try again.',
    'pdf-set-empty': 'This PDF set is empty. Upload a file first.',
    'pdf-set-full': 'A PDF set can have at most {limit} files. Remove some, or create another set.',
    'pdf-sets-too-many': 'You have reached the limit of {limit} PDF sets. Remove one first.',
    'pdf-set-busy': 'This PDF set is already being indexed. Wait for the run or cancel it first.',
    'pdf-storage-full':
      'This file does not fit: {used} of {quota} bytes are in use, including uploads in progress. Remove files, or choose a larger plan.',
    'upload-out-of-step': 'This upload continues at byte {offset}.',
    'upload-incomplete':
      'This upload announced {bytes} bytes, and {offset} have arrived. Send the rest, or start it again.',
    'browser-missing':
      'This installation has no browser for sites that need scripts. The operator can set LECTERN_CHROMIUM.',
    'source-credential-unusable':
      'The source needs a credential that {what}. Store one for {host} under Resources, and index it again with that.',
    'hosting-not-connected': 'Connect GitHub first.',
    'hosting-reconnect-needed': 'GitHub no longer accepts the connection. Connect GitHub again.',
    'repository-already-added':
      'This part of {repository} is already in the index. Remove it first, or choose another branch or folder.',
    'repository-paused': '{repository} is paused: {reason}',
    'index-request-settled': 'This request has already been decided or has expired. Reload the list to see its state.',
    'profiles-too-many': 'You have reached the limit of {limit} projects. Remove one first.',
    'chat-full': 'This conversation has reached the limit of {limit} messages. Start a new one.',
    'chat-busy': 'An answer is being written in this conversation. Wait for it, or stop it.',
    'already-subscribed': 'A subscription is already active. Change its plan or its seats instead.',
    'not-subscribed': 'No subscription is active. Choose a plan first.',
    'nothing-paid-yet': 'You have no payments to manage yet.',
    'billing-busy': 'Another change of this subscription is in progress. Try again in a moment.',
    'price-changed':
      'This costs more than you agreed to: the price has changed since. Check the new price, then confirm it.',
    'plan-ending': 'This plan was cancelled and ends with the paid period. Resume the plan, then change it.',
    'purchase-spent': 'This purchase has only {left} of its {bought} credits left, so it cannot be refunded.',
    'idempotency-key-reused': 'This idempotency key was used for another request. Send a new one.',
    'seats-exceeded': 'You assigned {asked} seats, but the team pays for {paid}. Buy more seats first.',
    'seats-in-use': 'The team uses {assigned} seats. Remove seats from members before you lower the number to {asked}.',
    'checkout-over': 'This payment page has been replaced. Start again from the plans.',
  },
  413: {
    'body-too-large': 'The request is larger than {limit} bytes. {next}',
    'pdf-file-too-large': '{name} has {bytes} bytes; the limit is {limit}. Split it or make it smaller.',
    'profile-too-large':
      'These lockfiles name {libraries} libraries or more; the limit for a project is {limit}. Send the lockfiles of one part of it.',
  },
  415: {
    'pdf-file-refused': '{name} is not a PDF, so it was not stored.',
  },
  429: {
    'too-many-requests': 'Too many failed attempts. Please try again later',
    'sign-on-accounts-exceeded':
      'Single sign-on made {limit} new accounts in a day for {domain} or from your network. No account was made for {email}. Try again in {hours} h, or ask the operator to vouch for the domain. Existing accounts still sign in.',
    'runs-at-limit':
      'The {tier} plan has {limit} index runs at a time, in all teams that share it. Wait until one ends, or choose a larger plan.',
    'hosting-rate-limited': "GitHub's rate limit for your account is reached. Try again in {minutes} min.",
    'index-requests-exhausted':
      'Agents can request {count} sources in 24 hours. Ask a person to add {address} under Resources.',
    'chat-limit-reached': 'You can ask {limit} questions in {minutes} minutes. Ask again in {wait}. {remedy}',
    'rate-limited': 'Too many requests. Try again in {seconds} seconds.',
    'credits-exhausted': 'Not enough credits{whose}: the balance is {balance}. {renewal} {remedy}',
  },
  500: {
    'index-damaged': 'The index of "{module}" is damaged. Refresh it, or run "lectern index {address}".',
    'index-of-other-version':
      'The index of "{module}" was written by {age} version of this program. Refresh it, or run "lectern index {address}".',
    internal: 'Something went wrong on our side. Quote request {requestId} when you report it.',
  },
  501: {
    unimplemented: 'This is not available yet.',
  },
  503: {
    'network-request-failed': 'Network error. Please check your connection',
    'name-servers-unreachable': 'The name servers for {name} did not respond. Try again in a moment.',
    'hosting-unreachable': 'GitHub did not respond as expected. Nothing was changed. Try again in a moment.',
    'model-failed': 'The language model did not respond as expected. Try again in a moment.',
    'payment-provider-failed': 'The payment provider did not respond as expected. Try again in a moment.',
    'storage-unreachable': 'The storage of this installation is not responding. Try again in {seconds} seconds.',
    'too-busy': 'Too many requests are waiting. Try again in {seconds} seconds.',
    'search-cluster-away': 'The search cluster is not responding; nothing was lost. Try again in a moment.',
    unavailable: 'The service is restarting. Try again in a moment.',
  },
  504: {
    'deadline-exceeded': 'This took longer than {seconds} seconds. Try again.',
  },
  507: {
    'disk-full': 'The disk is full, so this was not done. Ask the operator to free some space, then try again.',
  },
} as const satisfies Record<number, Record<string, string>>;

type Sentences = typeof sentences;
export type ErrorCode = { [Status in keyof Sentences]: keyof Sentences[Status] }[keyof Sentences];

/** The HTTP status and the message of each code. */
export const errorTable = Object.fromEntries(
  Object.entries(sentences).flatMap(([status, ofStatus]) =>
    Object.entries(ofStatus).map(([code, sentence]) => [code, { status: Number(status), sentence }]),
  ),
) as Record<ErrorCode, { status: number; sentence: string }>;

/**
 * Returns the message of a code with its values filled in; missing values become empty. After the number 1, plural
 * nouns become singular.
 */
export function sentenceOf(code: ErrorCode, values: Record<string, string | number> = {}): string {
  return errorTable[code].sentence.replace(/\{(\w+)\}( \w{2,}[^\Ws]s\b)?/g, (_, name: string, noun = '') => {
    const value = values[name] ?? '';
    const shown = typeof value === 'number' ? value.toLocaleString('en') : value;
    return `${shown}${value === 1 ? noun.replace(/s$/, '') : noun}`;
  });
}

/** Response body of every error of the HTTP interface. */
export interface ErrorEnvelope {
  /** `docs`: path of the page that explains the error and its remedy. */
  error: { code: ErrorCode; message: string; requestId?: string; docs?: string };
}
