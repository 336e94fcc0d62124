const segmentsKept = 3;
const uninformative = /^(index|default|readme|home|main|www|html?|en|latest|stable|docs?|documentation)$/i;
const extension = /\.(html?|xhtml|md|mdx|rst|txt|php|aspx?)$/i;
const asciiEscape = /%([2-7][0-9a-f])/gi;

/** Returns the words of the last parts of a page's address, as text to analyze; empty for an address without words. */
export function addressText(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  const parts = path.split('/').filter((part) => part !== '');
  return parts
    .slice(-segmentsKept)
    .map((part) => part.replace(asciiEscape, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))))
    .map((part) => part.replace(extension, ''))
    .filter((part) => !uninformative.test(part))
    .join(' ');
}
