import { charClass, classOf } from '../analysis/char-class.ts';
import type { PageRecord } from '../types.ts';

/** Purpose of a page, as its address and title suggest. Segments store positions in this list. */
export const pageRoles = ['guide', 'record', 'index', 'source', 'listing'] as const;
export type PageRole = (typeof pageRoles)[number];

const recordFolder =
  /\/(release[-_]?(notes?|log)?|releases|change[-_]?logs?|what'?s[-_]?new|news|announce(ments?)?|history)\//i;
const recordFile = /\/(release[-_]?notes?|release[-_]v?\d[^/]*|change[-_]?log|what'?s[-_]?new)([-_.\d][^/]*)?$/i;
const recordTitle =
  /\b(release notes?|change ?log|change history|what[’']?s new)\b|^(changes|news|history)$|^changes (in|since|between) |\brelease \d+\.\d|^version \d+\.\d/i;
/** Matches `Concept-Index.html` of Texinfo and `ch-option_index.html` of Exim. */
const namedIndex =
  'alphabetical|api|class|command|concept|environment[-_ ]variable|function|general|keyword|macro|method|module|option|program|python module|symbol|variable';
const namedIndexFile = new RegExp(`[/_-](?:${namedIndex})[-_]index\\.html?$`, 'i');
const namedIndexTitle = new RegExp(`^(?:(?:${namedIndex})(?:,| and)? )+index(?:$| [(–—|-])`, 'i');
const indexFile = /\/(gen|py-mod|mod|keyword_?|the)index(-[^/]*)?(\.\w+)?$/i;
/**
 * Matches generated lists: usages, class hierarchies, all names of one kind (`type_X` of ocamldoc), and their help
 * pages.
 */
const listingFile =
  /\/class-use\/|\/(?:package-(?:use|tree)|overview-tree|index-all|serialized-form|all(?:classes|packages)(?:-index|-frame|-noframe)?)\.html$|\/index-files\/|-members\.html$|\/doc-index[^/]*\.html$|\/(?:globals|functions|namespacemembers)_[^/]*\.html$|\/dir_[0-9a-f]{8,}\.html$|\/help-doc\.html$|\/type_[A-Z][\w.]*\.html$/;
/** Further lists of all names, of PasDoc, pydoctor and Scaladoc. */
const nameListFile =
  /\/(?:All(?:Classes|Constants|Functions|Identifiers|Types|Units|Variables)|ClassHierarchy|(?:name|class|module)Index|undoccedSummary|all-documents|index\/index-[\w.-]+)\.html$/;
/** Doxygen's lists of a class's or all members, which may be in files named `a00916.html`. */
const memberListTitle =
  /(?:^| )Member List$|(?:^|: )(?:Class|Concept|File|Module|Namespace) Members(?: - |$)|: (?:Data Fields|Globals)(?: - |$)/;
const indexTitle = /^index$/i;
/** Other than Markdown in a book's folder `src`, or Gitea's address of a file, which has `/src/branch/`. */
const sourceFolder =
  /\/(?:_modules|_sources|src-html)\/|\/src\/(?!(?:branch|tag)\/|.*\.(?:mdx?|markdown|rst|adoc|asciidoc|org|ipynb|pod|txt)$)/i;
/** Doxygen's `core_8h_source.html` or `a00123_source.html`, not the class of `classwx_drop_source.html`. */
const sourceFile = /(?:_8\w+|\/a\d{4,})_source\.html$/;
const sourceTitle = /^source code (?:for|of) |^[^:]{1,80}: \S+ source file$/i;

// Bounded, so that an unclosed bracket costs at most this much scanning.
const link = /\[([^[\]]{1,300})\]\([^()\s]{0,2000}(?:\s{1,4}"[^"]{0,300}")?\)/g;
const marks = new Uint8Array(128);
for (const mark of '`*_\\|:#>[]()-') marks[mark.charCodeAt(0)] = 1;
/** Tables of contents have 0.5 to 1 of their text in links; only 1 in 100 other pages exceeds 0.3. */
const linkShareMin = 0.5;

/** Returns true for the address of a page that only lists uses or definitions of names, or shows a source file. */
export function isListingAddress(url: string): boolean {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  return isListing(path) || sourceFile.test(path);
}

function isListing(path: string): boolean {
  return listingFile.test(path) || nameListFile.test(path) || indexFile.test(path) || namedIndexFile.test(path);
}

/**
 * Guesses the role of a page: release notes, indexes, tables of contents and program sources name every subject without
 * explaining it, so they crowd out the page that does.
 */
export function pageRoleOf({ url, title, snippets }: Pick<PageRecord, 'url' | 'title' | 'snippets'>): PageRole {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  const name = title.replace(/^[\dA-Z]+(\.\d+)*\.\s+/, '').trim();
  if (isListing(path) || namedIndexTitle.test(name) || memberListTitle.test(name)) return 'listing';
  if (indexTitle.test(name)) return 'index';
  if (sourceFolder.test(path) || sourceFile.test(path) || sourceTitle.test(name)) return 'source';
  if (recordFolder.test(path) || recordFile.test(path) || recordTitle.test(name)) return 'record';
  return linkShareOf(snippets.map(({ text }) => text)) > linkShareMin ? 'index' : 'guide';
}

/** Returns the share, 0 to 1, of the visible characters of Markdown texts that are in links. */
function linkShareOf(texts: readonly string[]): number {
  let linked = 0;
  let total = 0;
  for (const text of texts) {
    total += visibleLength(text);
    if (!text.includes('](')) continue;
    for (const [whole, label = ''] of text.matchAll(link)) {
      total -= visibleLength(whole);
      linked += visibleLength(label);
    }
  }
  return linked === 0 ? 0 : linked / (linked + total);
}

/** Counts the characters other than white space and Markdown marks. */
function visibleLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128 && marks[code] === 1) continue;
    if (classOf(code) !== charClass.space) length += 1;
  }
  return length;
}
