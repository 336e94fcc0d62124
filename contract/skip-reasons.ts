/** What the codes of a coverage report mean to people. */
export const skipReasonTexts = {
  'address-refused': 'The address is not contacted',
  'bad-name': 'A name that cannot be used',
  'bad-response': 'The answer could not be understood',
  'bad-url': 'Not a usable address',
  binary: 'Not text',
  'built-from-sources': 'A copy of the sources of pages beside it',
  canonical: 'Another address of a page that was read',
  calendar: 'A calendar without end',
  'content-type': 'Not a document',
  'decode-failed': 'The text could not be decoded',
  'depth-limit': 'Further away than the limit on links allows',
  'duplicate-content': 'The same content as another page',
  empty: 'Empty',
  generated: 'Made by a program',
  hidden: 'A hidden file or folder',
  'ignored-folder': 'A folder of installed packages',
  'insecure-redirect': 'Redirects from https to http',
  'lfs-pointer': 'Kept in Git LFS, which is not read',
  'name-not-found': 'There is no host of this name',
  nofollow: 'A link the page asks not to follow',
  noindex: 'The page asks not to be indexed',
  'nothing-read': 'The run ended before it read anything',
  'not-answered-any-more': 'It no longer answers one of the probe questions',
  'not-documentation': 'Not a documentation file',
  'out-of-scope': 'Outside the address that was given',
  'page-limit': 'Beyond the limit of pages',
  'parse-busy': 'Could not be read: too much at once',
  'parse-closed': 'Could not be read before the end',
  'parse-failed': 'Could not be understood',
  'parse-memory': 'Took too much memory to read',
  'parse-timeout': 'Took too long to read',
  'pdf-damaged': 'A damaged PDF file',
  'pdf-empty': 'An empty PDF file',
  'pdf-encrypted': 'A PDF file that needs a password',
  'pdf-failed': 'The reader of PDFs could not read it',
  'pdf-limit': 'Beyond the limit of PDF files',
  'pdf-memory': 'A PDF file that took too much memory to read',
  'pdf-no-text': 'A PDF file of pictures, such as a scan',
  'pdf-not-pdf': 'Not a PDF file, by its content',
  'pdf-stopped': 'A PDF file whose reading was stopped',
  'pdf-timeout': 'A PDF file that took too long to read',
  'pdf-too-large': 'A PDF file larger than the limit',
  'path-too-deep': 'The path repeats itself without end',
  'queue-full': 'More addresses than can wait',
  redirected: 'Leads to another address',
  'redirect-loop': 'Redirects in a circle',
  'redirect-out-of-scope': 'Redirects to outside the address that was given',
  'render-failed': 'The browser could not show it',
  'render-timeout': 'Its scripts took too long',
  'render-too-large': 'Its scripts fetch too much',
  'repeated-segments': 'The path repeats itself without end',
  'request-limit': 'Beyond the limit of requests',
  robots: 'robots.txt does not allow it',
  'robots-unreachable': 'robots.txt could not be read',
  'site-index': 'A list of pages for the search of the site, read for its links',
  'source-copy': 'The source of a page, not the page',
  'special-file': 'Neither a file nor a folder',
  submodule: 'Another repository (a submodule)',
  'symbolic-link': 'A symbolic link',
  'text-twin': 'A text version of a page that was read',
  timeout: 'No answer in time',
  'tls-error': 'No secure connection',
  'too-large': 'Larger than the limit',
  'too-many-redirects': 'Too many redirects',
  'too-many-variants': 'One of very many variants of a page',
  aborted: 'Was broken off',
  vendored: 'A folder of other people’s programs',
  unreachable: 'Could not be reached',
  unreadable: 'Could not be read',
  'unreadable-type': 'Not a document, by its name',
  'unsupported-type': 'Not a document',
} as const satisfies Record<string, string>;

export type SkipReason = keyof typeof skipReasonTexts;

/** The words for a reason; a code that is not known here, such as one of a newer server, is shown as it came. */
export function skipReasonText(reason: string): string {
  const status = /^http-(\d{3})$/.exec(reason)?.[1];
  if (status !== undefined) return `Answered with status ${status}`;
  return Object.hasOwn(skipReasonTexts, reason) ? skipReasonTexts[reason as SkipReason] : reason;
}

const passing =
  /^(?:http-(?:408|425|429|5\d\d)|timeout|unreachable|bad-response|tls-error|name-not-found|aborted|parse-(?:busy|closed|timeout)|pdf-(?:stopped|timeout)|render-(?:failed|timeout))$/;

/** Returns true if pages failed for a reason that may be gone at the next try. */
export function hasPassingFailures(job: { failed: number; skipReasons: readonly { reason: string }[] }): boolean {
  return job.failed > 0 && job.skipReasons.some(({ reason }) => passing.test(reason));
}
