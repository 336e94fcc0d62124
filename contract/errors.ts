interface ErrorDefinition {
  /** HTTP status of the envelope. */
  status: number;
  /** The sentence for people; `{name}` is filled from the error's values. */
  sentence: string;
}

/** Every error a caller may meet. The code names the fault; the page of the same name under docs/errors explains it. */
export const errorTable = {
  'invalid-input': { status: 400, sentence: 'The request is not valid: {reason}.' },
  'body-too-large': { status: 413, sentence: 'The request has over {limit} bytes. {next}' },
  'query-empty': { status: 400, sentence: 'The query is empty. Say what you are looking for in a few words.' },
  'query-too-long': { status: 400, sentence: 'The query has {length} characters; the limit is {limit}. Shorten it.' },
  'weak-password': { status: 400, sentence: 'Password must be at least 6 characters long' },
  'wrong-password': { status: 400, sentence: 'Incorrect password. Please try again' },
  'invalid-email': { status: 400, sentence: 'Please enter a valid email address' },
  'email-already-in-use': { status: 409, sentence: 'An account with this email already exists' },
  'user-not-found': { status: 404, sentence: 'No account found with this email address' },
  'operation-not-allowed': { status: 403, sentence: 'This sign-in method is not enabled' },
  'invalid-credential': { status: 401, sentence: 'Invalid email or password' },
  'account-exists-with-different-credential': { status: 409, sentence: 'An account already exists with this email' },
  'popup-blocked': { status: 400, sentence: 'Sign-in popup was blocked. Please allow popups and try again' },
  'popup-closed-by-user': { status: 400, sentence: 'Sign-in was cancelled' },
  'unauthorized-domain': { status: 403, sentence: 'This domain is not authorized for sign-in' },
  'too-many-requests': { status: 429, sentence: 'Too many failed attempts. Please try again later' },
  'network-request-failed': { status: 503, sentence: 'Network error. Please check your connection' },
  'missing-password': { status: 400, sentence: 'Please enter a password' },
  'missing-email': { status: 400, sentence: 'Please enter an email address' },
  'sign-in-failed': { status: 400, sentence: 'An error occurred. Please try again' },
  'github-not-configured': { status: 403, sentence: 'GitHub authentication is not configured' },
  'invalid-action-code': { status: 400, sentence: 'This password reset link is invalid or has expired.' },
  'conf-link-invalid': {
    status: 400,
    sentence: 'This link has been used or is too old. Sign up again, or take the link of the newest mail.',
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
  'session-not-found': { status: 404, sentence: 'There is no such session.' },
  'mail-not-found': { status: 404, sentence: 'There is no such mail.' },
  'recent-sign-in-needed': {
    status: 403,
    sentence: 'Enter your password, or sign in again, to confirm that it is you.',
  },
  'operator-not-deletable': {
    status: 403,
    sentence: 'This account runs the installation and cannot be deleted.',
  },
  unauthenticated: { status: 401, sentence: 'Sign in first.' },
  'key-missing': {
    status: 401,
    sentence:
      'No API key was sent. Send it as "Authorization: Bearer lec_…"; create one with "lectern key create <name>".',
  },
  'key-refused': {
    status: 401,
    sentence:
      'This API key is not accepted: it is unknown, revoked or mistyped. Copy the whole key again, or create a new one at {address}/keys.',
  },
  'key-not-found': { status: 404, sentence: 'There is no such API key.' },
  'key-revoked': { status: 409, sentence: 'This API key is revoked and is not shown any more.' },
  'key-shown-once': {
    status: 403,
    sentence: 'Keys of this team are shown when they are made and never again. Create a new one.',
  },
  'key-unreadable': {
    status: 409,
    sentence: 'This API key was stored under a secret that is lost, so it cannot be shown. Create a new one.',
  },
  'email-not-verified': { status: 403, sentence: 'Verify your email' },
  'team-not-found': { status: 404, sentence: 'There is no such team.' },
  'team-name-empty': { status: 400, sentence: 'Team name is required' },
  'too-many-teams': { status: 409, sentence: 'You belong to {limit} teams already. Leave one of them first.' },
  'team-full': {
    status: 409,
    sentence: 'A team has at most {limit} members and invites. Remove some before you invite more.',
  },
  'membership-not-found': { status: 404, sentence: 'There is no such member in this team.' },
  'already-member': { status: 409, sentence: 'You are a member of this team already.' },
  'last-admin': {
    status: 409,
    sentence: 'A team needs an admin. Make somebody else an admin first, or delete the team.',
  },
  'last-admin-of-team': {
    status: 409,
    sentence:
      'You are the last admin of the team "{team}". Make somebody else an admin, or delete the team, before you delete your account.',
  },
  'invite-not-found': { status: 404, sentence: "We couldn't find a team invitation linked to this URL." },
  'invite-not-pending': { status: 404, sentence: 'No invitation to this team waits for your address.' },
  'invite-for-other-address': {
    status: 403,
    sentence: 'This invitation was sent to {email}. Sign in with that address to accept it.',
  },
  'invite-accepted': {
    status: 409,
    sentence: 'This person is a member already, so there is no invitation to send again.',
  },
  'sign-on-not-found': { status: 404, sentence: 'There is no single sign-on for this address. Sign in another way.' },
  'domain-invalid': { status: 400, sentence: '"{domain}" is no domain. Write it as example.org.' },
  'domain-not-proved': {
    status: 409,
    sentence:
      'There is no TXT record at {name} with the value {value} yet. New records can take a while to be seen everywhere.',
  },
  'domain-taken': { status: 409, sentence: 'Another team has proved that {domain} is its domain.' },
  'name-servers-unreachable': { status: 503, sentence: 'No name server answered for {name}. Try again in a moment.' },
  'issuer-unusable': { status: 400, sentence: 'The provider at {issuer} cannot be used: {reason}.' },
  'client-secret-missing': { status: 400, sentence: 'Enter the client secret that the provider has given you.' },
  'sign-on-other-address': {
    status: 403,
    sentence: 'The provider signed in {email}, which is no address of {domain}.',
  },
  'key-name-empty': { status: 400, sentence: 'API key name is required' },
  'connection-not-found': { status: 404, sentence: 'There is no such connected application.' },
  'connection-refused': {
    status: 401,
    sentence: 'This access has expired or was revoked. Connect again through the browser.',
  },
  'consent-refused': { status: 400, sentence: '{reason}' },
  'sign-in-link-refused': {
    status: 401,
    sentence: 'This sign-in link was used before or has expired. Print a new one with "lectern link".',
  },
  'origin-refused': { status: 403, sentence: 'Requests from this origin are not accepted.' },
  'permission-denied': { status: 403, sentence: 'You may not do this.{need}' },
  'not-found': { status: 404, sentence: 'There is nothing at this address.' },
  'method-not-allowed': { status: 405, sentence: 'This address does not take {method}. Send {allowed}.' },
  'module-not-found': {
    status: 404,
    sentence: 'There is no module "{module}". List those there are with "lectern modules".',
  },
  'module-unknown': { status: 404, sentence: 'There is no module "{module}" to search. {next}.' },
  'page-not-indexed': {
    status: 404,
    sentence: 'The page {url} is not in any module you may read and could not be fetched: {reason}.',
  },
  'document-not-found': { status: 404, sentence: 'The page {url} is not in any module you may read.' },
  'job-not-found': { status: 404, sentence: 'There is no such job.' },
  'job-already-running': {
    status: 409,
    sentence: 'An index job for "{module}" is running already. Wait for it or cancel it first.',
  },
  'job-finished': { status: 409, sentence: 'This job has ended already.' },
  'job-not-held': { status: 409, sentence: 'This job has no version that waits to be accepted.' },
  'quality-lowered': {
    status: 409,
    sentence:
      'Not put in service: the new version answers {after} of {probes} probe questions, the one served {before}, by {share} less for its tokens. Accept it, or mend the source and try again.',
  },
  'module-changed': { status: 409, sentence: 'The module changed meanwhile. Try again.' },
  'source-refused': { status: 400, sentence: '{reason}' },
  'pdf-set-not-found': { status: 404, sentence: 'There is no such PDF set.' },
  'pdf-set-empty': { status: 409, sentence: 'There is no file in this PDF set. Upload one first.' },
  'pdf-set-full': { status: 409, sentence: 'A PDF set holds at most {limit} files. Remove some, or make another set.' },
  'pdf-sets-too-many': { status: 409, sentence: 'There are {limit} PDF sets already. Remove one first.' },
  'pdf-set-busy': { status: 409, sentence: 'This PDF set is being indexed already. Wait for it or cancel it first.' },
  'pdf-file-not-found': { status: 404, sentence: 'There is no such file in this PDF set.' },
  'pdf-file-too-large': {
    status: 413,
    sentence: '{name} has {bytes} bytes; a file may have {limit}. Split it or make it smaller.',
  },
  'pdf-file-empty': { status: 400, sentence: '{name} is empty. Choose the file again.' },
  'pdf-file-refused': { status: 415, sentence: '{name} is no PDF, so it was not kept.' },
  'pdf-storage-full': {
    status: 409,
    sentence: 'This file does not fit: {used} of {quota} bytes are taken, uploads under way included.',
  },
  'upload-not-found': { status: 404, sentence: 'There is no such upload. Begin it again.' },
  'upload-out-of-step': { status: 409, sentence: 'This upload goes on at byte {offset}.' },
  'upload-incomplete': { status: 409, sentence: 'Only {offset} of {bytes} bytes have arrived. Send the rest first.' },
  'browser-missing': {
    status: 409,
    sentence: 'This installation has no browser to show pages of scripts in. Its operator sets LECTERN_CHROMIUM.',
  },
  'source-credential-not-found': { status: 404, sentence: 'There is no such credential.' },
  'source-credential-refused': { status: 400, sentence: 'This credential cannot be stored: {reason}.' },
  'source-credential-unusable': {
    status: 409,
    sentence:
      'The source needs a credential that {what}. Store one for {host} under Resources, and index it again with that.',
  },
  'hosting-not-connected': { status: 409, sentence: 'Connect GitHub first.' },
  'hosting-reconnect-needed': {
    status: 409,
    sentence: 'GitHub does not accept the connection any more. Connect GitHub again.',
  },
  'hosting-state-refused': {
    status: 400,
    sentence: 'This connection was not begun in this browser, was finished before or took too long. Begin again.',
  },
  'hosting-cancelled': { status: 400, sentence: 'GitHub was not connected, because access was not given there.' },
  'hosting-forbidden': {
    status: 403,
    sentence: 'GitHub does not let your connection do this. Look at what the application may do there.',
  },
  'hosting-rate-limited': {
    status: 429,
    sentence: 'GitHub takes no more requests from your account for now. Try again in {minutes} min.',
  },
  'hosting-unreachable': {
    status: 503,
    sentence: 'GitHub did not answer as it should. Nothing was changed. Try again in a moment.',
  },
  'hosting-repository-unreadable': {
    status: 404,
    sentence: 'There is no repository "{repository}" that you may read at GitHub.',
  },
  'hosting-ref-not-found': { status: 404, sentence: '{repository} has no {kind} "{name}". Choose another.' },
  'hosted-repository-not-found': { status: 404, sentence: 'There is no such repository in this workspace.' },
  'repository-already-added': {
    status: 409,
    sentence: 'This part of {repository} is in the index already. Remove it first, or choose another branch or folder.',
  },
  'repository-paused': { status: 409, sentence: '{repository} is paused: {reason}' },
  'index-request-not-found': { status: 404, sentence: 'There is no such request in this workspace.' },
  'index-request-settled': {
    status: 409,
    sentence: 'This request was answered before, or has expired. Reload the list to see what became of it.',
  },
  'index-requests-exhausted': {
    status: 429,
    sentence:
      'No more than {count} sources may be asked for in 24 hours. Ask a person to add {address} under Resources.',
  },
  'profile-not-found': {
    status: 404,
    sentence: 'There is no such project. List those there are with "lectern profile list".',
  },
  'profiles-too-many': { status: 409, sentence: 'There are {limit} projects already. Remove one first.' },
  'profile-too-large': {
    status: 413,
    sentence: 'These lockfiles name {libraries} libraries; a project may have {limit}. Give those of a part of it.',
  },
  'lockfiles-unreadable': { status: 400, sentence: 'No lockfile could be read. {reason}' },
  'question-empty': { status: 400, sentence: 'The question is empty. Ask something the documentation may answer.' },
  'question-too-long': {
    status: 400,
    sentence: 'The question has {length} characters; the limit is {limit}. Shorten it.',
  },
  'chat-not-found': { status: 404, sentence: 'There is no such conversation.' },
  'chat-title-empty': { status: 400, sentence: 'A conversation needs a title.' },
  'chat-full': {
    status: 409,
    sentence: 'This conversation has {limit} messages, which is all it can hold. Begin a new one.',
  },
  'chat-busy': {
    status: 409,
    sentence: 'An answer is being written in this conversation. Wait for it, or stop it.',
  },
  'chat-limit-reached': {
    status: 429,
    sentence: '{limit} questions in {minutes} minutes is the limit here. Ask again in {wait}. {remedy}',
  },
  'model-failed': {
    status: 503,
    sentence: 'The language model did not answer as it should. Try again in a moment.',
  },
  'rate-limited': { status: 429, sentence: 'Too many requests. Try again in {seconds} seconds.' },
  'credits-exhausted': {
    status: 429,
    sentence: 'Not enough credits{whose}: the balance is {balance}. {renewal} {remedy}',
  },
  'already-subscribed': {
    status: 409,
    sentence: 'There is a subscription already. Change its plan or its seats instead.',
  },
  'not-subscribed': { status: 409, sentence: 'There is no subscription. Choose a plan first.' },
  'nothing-paid-yet': { status: 409, sentence: 'Nothing was ever paid here, so there is nothing to manage yet.' },
  'billing-busy': {
    status: 409,
    sentence: 'Another change of this subscription is under way. Try again in a moment.',
  },
  'price-unknown': { status: 400, sentence: 'There is no plan with this price. Reload the page and choose again.' },
  'credit-amount-refused': {
    status: 400,
    sentence: 'Credits are sold in packs of {pack}, up to {most} at once. Choose a multiple of {pack}.',
  },
  'promotion-not-found': { status: 404, sentence: 'This promotion code is not valid.' },
  'payment-declined': {
    status: 402,
    sentence: 'The payment was declined, and nothing was changed. Change the card in the billing portal and try again.',
  },
  'payment-not-refundable': { status: 404, sentence: 'There is no purchase of credits with this payment.' },
  'purchase-spent': {
    status: 409,
    sentence: 'Only {left} of the {bought} credits of this purchase are left, so it cannot be refunded.',
  },
  'payment-provider-failed': {
    status: 503,
    sentence: 'The payment provider did not answer as it should. Nothing was charged here. Try again in a moment.',
  },
  'idempotency-key-reused': {
    status: 409,
    sentence: 'This idempotency key was used for another request. Send a new one.',
  },
  'seats-exceeded': {
    status: 409,
    sentence: 'More members would have a seat ({asked}) than the team pays for ({paid}). Pay for more seats first.',
  },
  'seats-in-use': {
    status: 409,
    sentence: '{assigned} members have a paid seat. Take seats from members before the team pays for {asked}.',
  },
  'seat-not-assignable': {
    status: 400,
    sentence: 'A paid seat goes to members who have accepted. Reload the list of members and choose again.',
  },
  'checkout-over': { status: 409, sentence: 'This payment page is over. Begin again from the plans.' },
  'webhook-refused': { status: 400, sentence: 'The signature of this event is not right.' },
  'incident-not-found': {
    status: 404,
    sentence: 'There is no incident with this id. "lectern incident list" shows them.',
  },
  'index-damaged': {
    status: 500,
    sentence: 'The index of "{module}" is damaged. Index it again with "lectern index {address}".',
  },
  'index-of-other-version': {
    status: 500,
    sentence:
      'The index of "{module}" was made by {age} version of this program. Index it again with "lectern index {address}".',
  },
  internal: {
    status: 500,
    sentence: 'Something went wrong on our side. Quote request {requestId} when you report it.',
  },
  'storage-unreachable': {
    status: 503,
    sentence: 'The storage of this installation does not answer right now. Try again in {seconds} seconds.',
  },
  'disk-full': {
    status: 507,
    sentence:
      'There is no space left to store this, so it was not done. The operator of this installation has to free some; then try again.',
  },
  'too-busy': { status: 503, sentence: 'Too many requests wait already. Try again in {seconds} seconds.' },
  unimplemented: { status: 501, sentence: 'This is not available yet.' },
  'search-cluster-away': {
    status: 503,
    sentence: 'The search cluster does not answer, and nothing was lost. Try again in a moment.',
  },
  unavailable: { status: 503, sentence: 'The service is stopping. Try again in a moment.' },
  'deadline-exceeded': { status: 504, sentence: 'This took longer than {seconds} seconds. Try again.' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorTable;

/** The sentence of a code with its values filled in; a value that is not given leaves an empty place. */
export function sentenceOf(code: ErrorCode, values: Record<string, string | number> = {}): string {
  return errorTable[code].sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** Body of every error answer of the HTTP interface. */
export interface ErrorEnvelope {
  /** `docs`: path of the page that says what has happened and what to do. */
  error: { code: ErrorCode; message: string; requestId?: string; docs?: string };
}
