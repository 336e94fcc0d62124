/** What the codes of a coverage report mean to people. */
const words: Record<string, string> = {
  binary: 'Not text',
  canonical: 'Another address of a page that was read',
  'bad-response': 'The answer could not be understood',
  'bad-url': 'Not a usable address',
  'content-type': 'Not a document',
  'decode-failed': 'The text could not be decoded',
  'depth-limit': 'Further away than the limit on links allows',
  'duplicate-content': 'The same content as another page',
  noindex: 'The page asks not to be indexed',
  'out-of-scope': 'Outside the address that was given',
  overloaded: 'The server was overloaded',
  'page-limit': 'Beyond the limit of pages',
  'path-too-deep': 'The path repeats itself without end',
  'redirect-loop': 'Redirects in a circle',
  'redirect-out-of-scope': 'Redirects to outside the address that was given',
  refused: 'The address is not contacted',
  'repeated-segments': 'The path repeats itself without end',
  robots: 'robots.txt does not allow it',
  'robots-refused': 'robots.txt does not allow it',
  'robots-unreachable': 'robots.txt could not be read',
  'text-twin': 'A text version of a page that was read',
  timeout: 'No answer in time',
  'too-large': 'Larger than the limit',
  'too-many-redirects': 'Too many redirects',
  'too-many-variants': 'One of very many variants of a page',
  unreachable: 'Could not be reached',
};

/** The sentence of a reason; one this page does not know is shown as it came. */
export function skipReasonWords(reason: string): string {
  const status = /^http-(\d{3})$/.exec(reason)?.[1];
  if (status !== undefined) return `Answered with status ${status}`;
  return Object.hasOwn(words, reason) ? (words[reason] ?? reason) : reason;
}
