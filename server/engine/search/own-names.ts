import { partsOfName } from '../analysis/asked-name.ts';
import { isListingAddress, pageRoles } from '../segment/page-role.ts';
import type { Snippet } from '../types.ts';
import type { RankedSnippet } from './rerank.ts';
import type { SegmentView } from './segment-view.ts';

/**
 * A passage that defines the whole name gains this multiple of the best score; one that defines only a part gains less.
 */
const ownGain = 1.2;
/**
 * Further gain of a page named after the entire qualified name, because pages that build on it mention the name more
 * often.
 */
const wholeGain = 1;
/** Factor of usage lists and source files, which contain every name. */
const listingFactor = 0.25;
/** Share of a member that is only listed on its class's page. */
const listedShare = 0.95;
/**
 * Factor for passages that define an unqualified name among others or in other capitals: `NC_get` is not `nc_get`, and
 * a header lists names that another page documents.
 */
const looseFactor = 0.9;
/** Share of a section within a larger page: a dedicated page ranks higher. */
const partShare = 0.97;
/** Most passages of one page that are searched for names. */
const snippetsRead = 4;
/** Most passages of the qualifier's page that are searched for the member. */
const membersRead = 4_000;

/**
 * Reorders passages for a query that is the name of a class, function or other symbol: passages that define it come
 * first; passages that define only the end of the name gain less.
 */
export function preferOwnNames(
  views: readonly SegmentView[],
  ranked: readonly RankedSnippet[],
  asked: readonly string[],
  query: string,
): RankedSnippet[] {
  const best = ranked[0]?.score ?? 0;
  const pages = new Map<string, PageNames>();
  const gaining = (one: RankedSnippet, share: number, isWhole: boolean): RankedSnippet => {
    // The defining passage covers the name, even if its text leaves out the qualifier.
    const parts = { ...one.parts, coverage: Math.max(one.parts.coverage, share) };
    const gain = ownGain * share * share + (isWhole && isQualified(asked) ? wholeGain : 0);
    return { ...one, parts, score: one.score + gain * best };
  };
  const keyOf = (one: RankedSnippet): string => `${one.view} ${one.page}`;
  for (const one of ranked)
    if (!pages.has(keyOf(one)))
      pages.set(keyOf(one), namesOfPage(views[one.view] as SegmentView, one.page, asked, query));
  // Dokka summarizes each member on its class's page, and describes it on its own page.
  const ownPages = [...pages.values()].filter(({ isWhole, isListing }) => isWhole && !isListing);
  const hasOwnPage = ownPages.length > 0;
  if (ownPages.some(({ isCompanion }) => !isCompanion)) for (const page of ownPages) page.isWhole = !page.isCompanion;
  const further: RankedSnippet[] = [];
  const searched = new Set<PageNames>();
  const raised = ranked.map((one) => {
    const view = views[one.view] as SegmentView;
    const page = pages.get(keyOf(one)) as PageNames;
    const gainMember = (share: number): RankedSnippet => gaining(one, share, share === 1 && !hasOwnPage);
    if (!searched.has(page)) {
      searched.add(page);
      page.member = page.isListing ? undefined : memberOf(view, one, page, asked);
      const { member } = page;
      if (member !== undefined && !ranked.some(({ view, snippet }) => view === one.view && snippet === member.snippet))
        further.push({ ...gainMember(member.share), snippet: member.snippet });
    }
    if (page.isListing) return { ...one, score: one.score * listingFactor };
    if (one.snippet === page.member?.snippet) return gainMember(page.member.share);
    const share = shareIn(view, one, page, asked, query);
    return share === 0 ? one : gaining(one, share, page.isWhole);
  });
  return [...raised, ...further].sort((a, b) => b.score - a.score || a.view - b.view || a.snippet - b.snippet);
}

/**
 * Returns the passage that defines the member on its qualifier's page: of a page with many members, few passages are
 * candidates.
 */
function memberOf(
  { segment }: SegmentView,
  { page }: RankedSnippet,
  { names, first }: PageNames,
  asked: readonly string[],
): PageNames['member'] {
  const [owner, member] = [asked.slice(0, -1), asked.at(-1) as string];
  if (owner.length === 0 || !names.some((name) => shareOfName(owner, name) >= looseFactor)) return undefined;
  let listed: number | undefined;
  const end = first + Math.min(segment.page(page).snippetCount, membersRead);
  for (let snippet = first; snippet < end; snippet += 1) {
    const { identifiers, anchor, text } = segment.snippet(snippet);
    const isDefined = [...identifiers, nameInAnchor(anchor)].some((defined) => partsOfName(defined).at(-1) === member);
    if (isDefined) return { snippet, share: 1 };
    if (listed === undefined && hasWord(text, member)) listed = snippet;
  }
  return listed === undefined ? undefined : { snippet: listed, share: listedShare };
}

/** Returns true if the name has a qualifier, including within one word as in `gtk_label_set_text`. */
function isQualified(asked: readonly string[]): boolean {
  return asked.length > 1 || asked[0]?.includes('_') === true;
}

/**
 * A name as its parts. The last `own` parts are the name itself; those before are folders, which may not belong to it.
 */
interface Named {
  parts: string[];
  own: number;
}

interface PageNames {
  isListing: boolean;
  /** True if the page is named after the entire wanted name. */
  isWhole: boolean;
  /** True for the object that Scala puts beside a class of the same name. */
  isCompanion: boolean;
  /** True if the page is named after the wanted name in other capitals. */
  isLoose: boolean;
  names: Named[];
  first: number;
  read: number;
  member?: { snippet: number; share: number } | undefined;
}

function namesOfPage({ segment }: SegmentView, at: number, asked: readonly string[], query: string): PageNames {
  const role = pageRoles[segment.index.pageRoles[at] ?? 0] ?? 'guide';
  const { url, title, firstSnippet } = segment.page(at);
  const names = [nameInAddress(url), whole(partsOfName(bareTitle(title)))].filter(({ parts }) => parts.length > 0);
  // Sphinx writes the whole name of a module that a page is about into its first anchor.
  if (asked.length > 1 && names.some((name) => shareOfName(asked, name) > 0))
    names.push(whole(partsOfName(nameInAnchor(segment.snippet(firstSnippet).anchor))));
  const isListing = role === 'listing' || role === 'source' || isListingAddress(url) || listTitle.test(title);
  const isLoose = isInOtherCapitals(bareTitle(title), asked, query);
  const isWhole = !isLoose && names.some((name) => shareOfName(asked, name) === 1);
  const isCompanion = url.endsWith('$.html');
  return { isListing, isWhole, isCompanion, isLoose, names, first: firstSnippet, read: 0 };
}

function shareIn(
  view: SegmentView,
  { snippet }: RankedSnippet,
  page: PageNames,
  asked: readonly string[],
  query: string,
): number {
  const ofPage =
    (page.isLoose ? looseFactor : 1) * Math.max(0, ...page.names.map((names) => shareOfName(asked, names)));
  // The page is about the wanted name, and its first passage says what that is.
  const best = ofPage === 0 ? 0 : ofPage - (snippet === page.first ? 0 : 0.1);
  if (best > 0.5 || page.read >= snippetsRead) return best;
  page.read += 1;
  const found = view.segment.snippet(snippet);
  const factor = asked.length > 1 || isOnly(found, asked[0] as string, query) ? partShare : looseFactor * partShare;
  return Math.max(best, factor * shareInSnippet(found, page.names, asked));
}

/** Returns true if the passage is about the name alone, spelled as in the query. */
function isOnly({ headingPath, identifiers }: Snippet, name: string, query: string): boolean {
  const heading = (headingPath.at(-1) ?? '').replace(/<[^<>]*>|[`*\\]|\(.*$/gs, '').trim();
  return identifiers.length < 2 && heading.toLowerCase() === name && query.includes(heading);
}

function shareInSnippet(snippet: Snippet, pageNames: readonly Named[], asked: readonly string[]): number {
  let best = 0;
  for (const defined of [...snippet.identifiers, nameInAnchor(snippet.anchor)]) {
    const parts = partsOfName(defined);
    if (parts.at(-1) !== asked.at(-1)) continue;
    best = Math.max(best, shareOfName(asked, whole(parts)));
    for (const names of pageNames) best = Math.max(best, shareOfName(asked, joined(names, parts)));
  }
  const [owner, member] = [asked.slice(0, -1), asked.at(-1) as string];
  if (best > 0 || owner.length === 0) return best;
  const ofOwner = Math.max(0, ...pageNames.map((names) => shareOfName(owner, names)));
  return ofOwner > 0 && hasWord(snippet.text, member) ? listedShare * ofOwner : 0;
}

const whole = (parts: string[]): Named => ({ parts, own: parts.length });

/** Joins a page's and a member's name: `io.FileUtils` and `FileUtils.copy` become `io.FileUtils.copy`. */
function joined({ parts, own }: Named, member: readonly string[]): Named {
  const further = parts.at(-1) === member[0] ? member.slice(1) : member;
  return { parts: [...parts, ...further], own: own + further.length };
}

/**
 * Returns the share of the wanted name that another name matches, counted from its end: 1 for all, 0 where they differ.
 */
function shareOfName(asked: readonly string[], { parts, own }: Named): number {
  const length = Math.min(asked.length, parts.length);
  let same = 0;
  while (same < length && asked.at(-1 - same) === parts.at(-1 - same)) same += 1;
  if (same === asked.length) return 1;
  if (squeezed(asked) === squeezed(parts)) return asked.length === parts.length ? looseFactor : 1;
  if (isFlat(asked, parts.slice(-own))) return 1;
  return same < Math.min(own, asked.length) ? 0 : same / asked.length;
}

/**
 * Removes separators: `Gtk.Label.set_text` is `gtk_label_set_text` in another language. With as many parts, another
 * name is more likely: `DB_ENV` is not `DbEnv`.
 */
const squeezed = (parts: readonly string[]): string => parts.join('').replaceAll('_', '');

/**
 * Returns true for a C function that is a member in another language: `gdk_pixbuf_new_from_file` is
 * `Pixbuf.new_from_file` on its page.
 */
function isFlat([only = '', ...others]: readonly string[], own: readonly string[]): boolean {
  return others.length === 0 && own.length > 1 && only.includes('_') && squeezed([only]).endsWith(squeezed(own));
}

const kindBefore =
  /^(?:class|struct|iface|interface|enum|flags|error|func|fn|method|ctor|type_func|class_method|vfunc|property|signal|callback|alias|const|constant|macro|trait|type|union|module|namespace|record|domain|primitive|keyword|attr|derive)\.(?=.)/;
const anchorKind =
  /^(?:t?y?method|associatedconstant|associatedtype|variant|structfield|[vt]|m|c|cpp|py|js|class|function|type|module)[.:-](?=.)/;

/**
 * Returns the name in a page's address: `org/apache/io/FileUtils.html`, `Data-Aeson.html`,
 * `method.Label.set_text.html`. Dokka writes `org.io.FileUtils.copyAll` as `org.io/-file-utils/copy-all.html`.
 */
function nameInAddress(url: string): Named {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  const parts = path.toLowerCase().split('/').filter(Boolean);
  const file = parts.pop()?.replace(/\$?\.(?:x?html?|md|txt)$/, '') ?? '';
  if ([...parts, file].some((part) => /^-[a-z]/.test(part))) {
    const names = [...parts, ...(file === 'index' ? [] : [file])];
    return { parts: names.flatMap((name) => name.replaceAll('-', '').split('.')), own: 1 };
  }
  const own = /^[\p{Ll}\d_]+(?:-[\p{Ll}\d_]+)+$/u.test(file)
    ? file.split('-')
    : partsOfName(file.replace(kindBefore, ''));
  return file === 'index' ? { parts, own: 1 } : { parts: [...parts, ...own], own: own.length };
}

const kindsInTitle =
  /\b(?:class|struct|interface|enum(?:eration)?|annotation(?: type)?|record|trait|union|module|package|namespace|function|method|macro|type|exception|template|concept|reference|abstract)\b/gi;

/** Matches the project prefix of titles such as `Exiv2: Exiv2::Image Class Reference`. */
const projectBefore = /^[^:]{1,80}: (?=.{1,200} reference$)/i;

/** Matches lists of members with a remark, by Doxygen and javadoc, and by version, by gtk-doc. */
const listTitle = /\b(?:Bug|Deprecated|Test|Todo) List\b|^Index of (?:new|deprecated) symbols\b/;

/** Returns the name that is all of a title, with dots as separators; empty if it says anything else. */
function bareTitle(title: string): string {
  const bare = title
    .replace(projectBefore, '')
    .replace(kindsInTitle, ' ')
    .replace(/<[^<>]*>|\([^()]*\)|\[[^[\]]*\]/g, '')
    .replace(/^[\s:]+/, '')
    .trim();
  return /^[\w$~-]+(?:(?:::|->|[.#:])[\w$~-]+)*$/.test(bare) ? withDots(bare) : '';
}

const withDots = (name: string): string => name.replace(/::|->|[#:]/g, '.');

/** Returns true if the query has the name in other capitals: `DB->open` is not `Db::open`. Small letters match any. */
function isInOtherCapitals(name: string, { length }: readonly string[], query: string): boolean {
  const own = name.split('.').slice(-length).join('.');
  const written = withDots(query);
  const isSaid = own !== '' && written.toLowerCase().includes(own.toLowerCase());
  return isSaid && !written.includes(own) && /\p{Lu}/u.test(query);
}

/** Returns the bare name in an anchor such as `copy(java.io.File)`, `method.push`, `v:decode`, `map-2` or `map/2`. */
function nameInAnchor(anchor: string): string {
  return anchor.replace(anchorKind, '').replace(/(?:\(.*|%28.*|[-/]\d+)$/s, '');
}

function hasWord(markdown: string, word: string): boolean {
  const text = markdown.toLowerCase().replaceAll('\\', '');
  const isPart = (character: string | undefined): boolean =>
    character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  }
  return false;
}
