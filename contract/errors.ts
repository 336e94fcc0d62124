interface ErrorDefinition {
  /** HTTP status of the envelope. */
  status: number;
  /** The message for people; `{name}` is replaced by the error's value. */
  sentence: string;
}

/** All errors that callers may get. The page of the same name under docs/errors explains each code. */
export const errorTable = {
  'invalid-input': { status: 400, sentence: 'The request is not valid: {reason}.' },
  'body-too-large': { status: 413, sentence: 'The request is larger than {limit} bytes. {next}' },
  'query-empty': { status: 400, sentence: 'The query is empty. Say what you are looking for in a few words.' },
  'query-too-long': { status: 400, sentence: 'The query has {length} characters; the limit is {limit}. Shorten it.' },
  'weak-password': { status: 400, sentence: 'Password must be at least 6 characters long' },
  'wrong-password': { status: 400, sentence: 'Incorrect password. Please try again' },
  'invalid-email': { status: 400, sentence: 'Please enter a valid email address' },
  'email-already-in-use': { status: 409, sentence: 'An account with this email already exists' },
  'user-not-found': { status: 404, sentence: 'No account found with this email address' },
  'operation-not-allowed': { status: 403, sentence: 'This sign-in method is not enabled' },
  'invalid-credential': { status: 401, sentence: 'Invalid email or password' },
  'account-exists-with-different-credential': {
    status: 409,
    sentence: 'An account already exists with this email{next}',
  },
  'popup-blocked': { status: 400, sentence: 'Sign-in popup was blocked. Please allow popups and try again' },
  'popup-closed-by-user': { status: 400, sentence: 'Sign-in was cancelled' },
  'unauthorized-domain': { status: 403, sentence: 'This domain is not authorized for sign-in' },
  'too-many-requests': { status: 429, sentence: 'Too many failed attempts. Please try again later' },
  'network-request-failed': { status: 503, sentence: 'Network error. Please check your connection' },
  'missing-password': { status: 400, sentence: 'Please enter a password' },
  'missing-email': { status: 400, sentence: 'Please enter an email address' },
  'sign-in-failed': { status: 400, sentence: 'An error occurred. Please try again' },
  'sign-up-closed': {
    status: 403,
    sentence: 'Sign-up is closed. Ask the operator for an account for {email}.',
  },
  'service-of-another': {
    status: 409,
    sentence: 'This {service} account is connected to another account here. Sign out first, or choose another.',
  },
  'service-email-differs': {
    status: 409,
    sentence: 'You are signed in as {current}. Use this email at {service}. To sign in as {email}, sign out first.',
  },
  'service-email-missing': {
    status: 400,
    sentence: '{service} gave no valid email address for this account. Add one there, then try again.',
  },
  'signed-in-as-another': {
    status: 409,
    sentence: 'You are signed in as {current}. To sign in as {email}, sign out first.',
  },
  'github-not-configured': { status: 403, sentence: 'GitHub authentication is not configured' },
  'invalid-action-code': { status: 400, sentence: 'This password reset link is invalid or has expired.' },
  'conf-link-invalid': {
    status: 400,
    sentence: 'This link was used or has expired. Sign up again, or use the link in the newest email.',
  },
  'verification-failed': { status: 400, sentence: 'Failed to verify email. The link may have expired.' },
  'verification-needs-password': {
    status: 403,
    sentence:
      'Choose a password to verify {email}, or open the link in the browser you signed up with. Nothing is verified yet.',
  },
  'verification-needs-sign-in': {
    status: 403,
    sentence: 'Sign in to this account in this browser, then open the link again. Nothing is verified yet.',
  },
  'session-not-found': { status: 404, sentence: 'Session not found. Reload the list.' },
  'mail-not-found': { status: 404, sentence: 'Email not found. Reload the list.' },
  'recent-sign-in-needed': {
    status: 403,
    sentence: 'Enter your password, or sign in again, to confirm that it is you.',
  },
  'operator-not-deletable': {
    status: 403,
    sentence: 'This account runs the installation and cannot be deleted.',
  },
  'operator-kept': {
    status: 409,
    sentence: "Your own account and the local owner's stay operators and can't be disabled.",
  },
  'account-not-verified': {
    status: 409,
    sentence: 'Only an account with a verified email address can become an operator. Create a password link for it.',
  },
  'account-disabled': {
    status: 403,
    sentence: 'This account is disabled. Ask the people who run this installation.',
  },
  unauthenticated: { status: 401, sentence: 'Sign in first.' },
  'key-missing': {
    status: 401,
    sentence: 'No API key was sent. Send it as "Authorization: Bearer lec_…"; create one at {address}/keys.',
  },
  'key-refused': {
    status: 401,
    sentence:
      'This API key is not accepted: it is unknown, revoked or mistyped. Copy the whole key again, or create a new one at {address}/keys.',
  },
  'keys-too-many': { status: 409, sentence: 'You already have {limit} API keys. Revoke one that you no longer use.' },
  'key-not-found': { status: 404, sentence: 'API key not found. Reload the list.' },
  'key-revoked': { status: 409, sentence: "This API key is revoked and can't be shown." },
  'key-shown-once': {
    status: 403,
    sentence: "This team's keys are shown only when they are created. Create a new one.",
  },
  'key-right-missing': {
    status: 403,
    sentence: 'This API key does not have the right “{right}”. Create a key that has it on the API Keys page.',
  },
  'key-unreadable': {
    status: 409,
    sentence: "This API key was encrypted with a secret that is lost, so it can't be shown. Create a new one.",
  },
  'email-not-verified': { status: 403, sentence: 'Verify your email' },
  'team-not-found': { status: 404, sentence: 'Team not found. Choose one of your teams.' },
  'team-name-empty': { status: 400, sentence: 'Team name is required' },
  'too-many-teams': { status: 409, sentence: 'You are already in {limit} teams. Leave one first.' },
  'too-many-free-teams': {
    status: 409,
    sentence: 'You already created {limit} teams without a paid plan. Choose a plan for one of them, or delete one.',
  },
  'team-full': {
    status: 409,
    sentence: 'A team can have at most {limit} members and invites. Remove some first.',
  },
  'membership-not-found': { status: 404, sentence: 'Member not found in this team. Reload the list.' },
  'already-member': { status: 409, sentence: 'You are already a member of this team.' },
  'last-admin': {
    status: 409,
    sentence: 'A team needs an admin. Make another member an admin first, or delete the team.',
  },
  'last-admin-of-team': {
    status: 409,
    sentence:
      'You are the last admin of the team "{team}". Make another member an admin, or delete the team, before you delete your account.',
  },
  'invite-not-found': { status: 404, sentence: "We couldn't find a team invitation linked to this URL." },
  'invite-not-pending': { status: 404, sentence: 'Your address has no pending invitation to this team.' },
  'invite-for-other-address': {
    status: 403,
    sentence: 'This invitation was sent to {email}. Sign in with that address to accept it.',
  },
  'invite-accepted': {
    status: 409,
    sentence: 'This person is already a member.',
  },
  'sign-on-not-found': { status: 404, sentence: 'This address has no single sign-on. Sign in another way.' },
  'domain-invalid': { status: 400, sentence: '"{domain}" is not a domain. Enter it as example.org.' },
  'domain-not-proved': {
    status: 409,
    sentence: 'No TXT record at {name} has the value {value} yet. New records can take a while to appear.',
  },
  'domain-taken': { status: 409, sentence: 'Another team has proved that it owns {domain}.' },
  'name-servers-unreachable': {
    status: 503,
    sentence: 'The name servers for {name} did not respond. Try again in a moment.',
  },
  'issuer-unusable': { status: 400, sentence: 'The provider at {issuer} cannot be used: {reason}.' },
  'client-secret-missing': { status: 400, sentence: 'Enter the client secret from the provider.' },
  'sign-on-other-address': {
    status: 403,
    sentence: 'The provider signed in {email}, which is not an address of {domain}.',
  },
  'sign-on-accounts-exceeded': {
    status: 429,
    sentence:
      'Single sign-on made {limit} new accounts in a day for {domain} or from your network. No account was made for {email}. Try again in {hours} h, or ask the operator to vouch for the domain. Existing accounts still sign in.',
  },
  'key-name-empty': { status: 400, sentence: 'API key name is required' },
  'connection-not-found': { status: 404, sentence: 'Connected application not found. Reload the list.' },
  'connection-refused': {
    status: 401,
    sentence: 'This access has expired or was revoked. Connect again through the browser.',
  },
  'consent-refused': { status: 400, sentence: '{reason}' },
  'sign-in-link-refused': {
    status: 401,
    sentence: 'This sign-in link was used or has expired. Create a new one with "lectern link".',
  },
  'origin-refused': { status: 403, sentence: 'Requests from this origin are not accepted.' },
  'permission-denied': { status: 403, sentence: "You don't have permission to do this.{need}" },
  'not-found': { status: 404, sentence: 'Nothing exists at this address.' },
  'method-not-allowed': { status: 405, sentence: 'This address does not support {method}. Use {allowed}.' },
  'module-not-found': {
    status: 404,
    sentence: 'Module "{module}" not found. Check its id.',
  },
  'module-unknown': { status: 404, sentence: 'Module "{module}" not found. {next}.' },
  'page-not-indexed': {
    status: 404,
    sentence: 'The page {url} is not in any module you can read and could not be fetched: {reason}.',
  },
  'document-not-found': {
    status: 404,
    sentence: 'The page {url} is not in any module you can read. Check the address, or choose another team.',
  },
  'job-not-found': { status: 404, sentence: 'Run not found. Reload the list.' },
  'runs-at-limit': {
    status: 429,
    sentence:
      'The {tier} plan has {limit} index runs at a time, in all teams that share it. Wait until one ends, or choose a larger plan.',
  },
  'plan-full': {
    status: 409,
    sentence:
      'The {tier} plan has room for {pages} pages and {bytes} of index, in all teams that share it. Remove sources, or choose a larger plan.',
  },
  'job-already-running': {
    status: 409,
    sentence: 'An index run for "{module}" is already in progress. Wait for it or cancel it first.',
  },
  'job-finished': { status: 409, sentence: 'This run has already ended.' },
  'job-not-held': { status: 409, sentence: 'No version of this run is held back.' },
  'quality-lowered': {
    status: 409,
    sentence:
      'Held back: the new version answers {after} of {probes} probe questions, the served one {before}. Its score, which counts tokens too, is {share} lower. Accept it, or fix the source and try again.',
  },
  'module-changed': { status: 409, sentence: 'The module has changed. Try again.' },
  'source-refused': { status: 400, sentence: '{reason}' },
  'pdf-set-not-found': { status: 404, sentence: 'PDF set not found. Reload the list.' },
  'pdf-set-empty': { status: 409, sentence: 'This PDF set is empty. Upload a file first.' },
  'pdf-set-full': {
    status: 409,
    sentence: 'A PDF set can have at most {limit} files. Remove some, or create another set.',
  },
  'pdf-sets-too-many': { status: 409, sentence: 'You have reached the limit of {limit} PDF sets. Remove one first.' },
  'pdf-set-busy': {
    status: 409,
    sentence: 'This PDF set is already being indexed. Wait for the run or cancel it first.',
  },
  'pdf-file-not-found': { status: 404, sentence: 'File not found in this PDF set. Reload the set.' },
  'pdf-file-too-large': {
    status: 413,
    sentence: '{name} has {bytes} bytes; the limit is {limit}. Split it or make it smaller.',
  },
  'pdf-file-empty': { status: 400, sentence: '{name} is empty. Choose the file again.' },
  'pdf-file-refused': { status: 415, sentence: '{name} is not a PDF, so it was not stored.' },
  'pdf-storage-full': {
    status: 409,
    sentence:
      'This file does not fit: {used} of {quota} bytes are in use, including uploads in progress. Remove files, or choose a larger plan.',
  },
  'upload-not-found': { status: 404, sentence: 'Upload not found. Start it again.' },
  'upload-out-of-step': { status: 409, sentence: 'This upload continues at byte {offset}.' },
  'upload-incomplete': {
    status: 409,
    sentence: 'This upload announced {bytes} bytes, and {offset} have arrived. Send the rest, or start it again.',
  },
  'browser-missing': {
    status: 409,
    sentence: 'This installation has no browser for sites that need scripts. The operator can set LECTERN_CHROMIUM.',
  },
  'source-credential-not-found': { status: 404, sentence: 'Credential not found. Reload the list.' },
  'source-credential-refused': { status: 400, sentence: 'This credential cannot be stored: {reason}.' },
  'source-credential-unusable': {
    status: 409,
    sentence:
      'The source needs a credential that {what}. Store one for {host} under Resources, and index it again with that.',
  },
  'hosting-not-connected': { status: 409, sentence: 'Connect GitHub first.' },
  'hosting-reconnect-needed': {
    status: 409,
    sentence: 'GitHub no longer accepts the connection. Connect GitHub again.',
  },
  'hosting-state-refused': {
    status: 400,
    sentence: 'This connection was not started in this browser, was already completed, or took too long. Start again.',
  },
  'hosting-cancelled': {
    status: 400,
    sentence: 'GitHub was not connected because you did not grant access there. Start again to grant it.',
  },
  'hosting-forbidden': {
    status: 403,
    sentence: "GitHub does not allow this. Check the application's permissions there.",
  },
  'hosting-rate-limited': {
    status: 429,
    sentence: "GitHub's rate limit for your account is reached. Try again in {minutes} min.",
  },
  'hosting-unreachable': {
    status: 503,
    sentence: 'GitHub did not respond as expected. Nothing was changed. Try again in a moment.',
  },
  'hosting-repository-unreadable': {
    status: 404,
    sentence: 'GitHub has no repository "{repository}" that you can read.',
  },
  'hosting-ref-not-found': { status: 404, sentence: '{repository} has no {kind} "{name}". Choose another.' },
  'hosted-repository-not-found': { status: 404, sentence: 'Repository not found in this workspace. Reload the list.' },
  'repository-already-added': {
    status: 409,
    sentence: 'This part of {repository} is already in the index. Remove it first, or choose another branch or folder.',
  },
  'repository-paused': { status: 409, sentence: '{repository} is paused: {reason}' },
  'index-request-not-found': { status: 404, sentence: 'Request not found in this workspace. Reload the list.' },
  'index-request-settled': {
    status: 409,
    sentence: 'This request has already been decided or has expired. Reload the list to see its state.',
  },
  'index-requests-exhausted': {
    status: 429,
    sentence: 'Agents can request {count} sources in 24 hours. Ask a person to add {address} under Resources.',
  },
  'profile-not-found': {
    status: 404,
    sentence: 'Project not found. Check its name.',
  },
  'profiles-too-many': { status: 409, sentence: 'You have reached the limit of {limit} projects. Remove one first.' },
  'profile-too-large': {
    status: 413,
    sentence:
      'These lockfiles name {libraries} libraries; the limit for a project is {limit}. Send the lockfiles of one part of it.',
  },
  'lockfiles-unreadable': { status: 400, sentence: 'No lockfile could be read. {reason}' },
  'question-empty': { status: 400, sentence: 'The question is empty. Ask something the documentation may answer.' },
  'question-too-long': {
    status: 400,
    sentence: 'The question has {length} characters; the limit is {limit}. Shorten it.',
  },
  'chat-not-found': { status: 404, sentence: 'Conversation not found. Choose another, or start a new one.' },
  'chat-title-empty': { status: 400, sentence: 'A conversation needs a title.' },
  'chat-full': {
    status: 409,
    sentence: 'This conversation has reached the limit of {limit} messages. Start a new one.',
  },
  'chat-busy': {
    status: 409,
    sentence: 'An answer is being written in this conversation. Wait for it, or stop it.',
  },
  'chat-limit-reached': {
    status: 429,
    sentence: 'You can ask {limit} questions in {minutes} minutes. Ask again in {wait}. {remedy}',
  },
  'model-failed': {
    status: 503,
    sentence: 'The language model did not respond as expected. Try again in a moment.',
  },
  'rate-limited': { status: 429, sentence: 'Too many requests. Try again in {seconds} seconds.' },
  'credits-exhausted': {
    status: 429,
    sentence: 'Not enough credits{whose}: the balance is {balance}. {renewal} {remedy}',
  },
  'already-subscribed': {
    status: 409,
    sentence: 'A subscription is already active. Change its plan or its seats instead.',
  },
  'not-subscribed': { status: 409, sentence: 'No subscription is active. Choose a plan first.' },
  'nothing-paid-yet': { status: 409, sentence: 'You have no payments to manage yet.' },
  'billing-busy': {
    status: 409,
    sentence: 'Another change of this subscription is in progress. Try again in a moment.',
  },
  'price-changed': {
    status: 409,
    sentence: 'This costs more than you agreed to: the price has changed since. Check the new price, then confirm it.',
  },
  'plan-ending': {
    status: 409,
    sentence: 'This plan was cancelled and ends with the paid period. Resume the plan, then change it.',
  },
  'price-unknown': { status: 400, sentence: 'No plan has this price. Reload the page and choose again.' },
  'credit-amount-refused': {
    status: 400,
    sentence: 'Credits are sold in packs of {pack}, up to {most} at once. Choose a multiple of {pack}.',
  },
  'promotion-not-found': { status: 404, sentence: 'This promotion code is not valid.' },
  'payment-declined': {
    status: 402,
    sentence: 'The payment was declined, and nothing was changed. Change the card in the billing portal and try again.',
  },
  'payment-not-refundable': { status: 404, sentence: 'This payment is not for a purchase of credits.' },
  'purchase-spent': {
    status: 409,
    sentence: 'This purchase has only {left} of its {bought} credits left, so it cannot be refunded.',
  },
  'payment-provider-failed': {
    status: 503,
    sentence: 'The payment provider did not respond as expected. Try again in a moment.',
  },
  'idempotency-key-reused': {
    status: 409,
    sentence: 'This idempotency key was used for another request. Send a new one.',
  },
  'seats-exceeded': {
    status: 409,
    sentence: 'You assigned {asked} seats, but the team pays for {paid}. Buy more seats first.',
  },
  'seats-in-use': {
    status: 409,
    sentence: 'The team uses {assigned} seats. Remove seats from members before you lower the number to {asked}.',
  },
  'seat-not-assignable': {
    status: 400,
    sentence: 'Paid seats are for members who accepted their invite. Reload the list and choose again.',
  },
  'checkout-over': { status: 409, sentence: 'This payment page has been replaced. Start again from the plans.' },
  'webhook-refused': { status: 400, sentence: "The event's signature is not valid." },
  'incident-not-found': {
    status: 404,
    sentence: 'Incident not found. Check its id.',
  },
  'index-damaged': {
    status: 500,
    sentence: 'The index of "{module}" is damaged. Refresh it, or run "lectern index {address}".',
  },
  'index-of-other-version': {
    status: 500,
    sentence:
      'The index of "{module}" was written by {age} version of this program. Refresh it, or run "lectern index {address}".',
  },
  internal: {
    status: 500,
    sentence: 'Something went wrong on our side. Quote request {requestId} when you report it.',
  },
  'storage-unreachable': {
    status: 503,
    sentence: 'The storage of this installation is not responding. Try again in {seconds} seconds.',
  },
  'disk-full': {
    status: 507,
    sentence: 'The disk is full, so this was not done. Ask the operator to free some space, then try again.',
  },
  'too-busy': { status: 503, sentence: 'Too many requests are waiting. Try again in {seconds} seconds.' },
  unimplemented: { status: 501, sentence: 'This is not available yet.' },
  'search-cluster-away': {
    status: 503,
    sentence: 'The search cluster is not responding; nothing was lost. Try again in a moment.',
  },
  unavailable: { status: 503, sentence: 'The service is restarting. Try again in a moment.' },
  'deadline-exceeded': { status: 504, sentence: 'This took longer than {seconds} seconds. Try again.' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorTable;

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
