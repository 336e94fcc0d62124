import type { HtmlElement } from './html-tree.ts';

/** How strongly a class or id suggests page furniture; `content` suggests text. */
export type NameEvidence = 'none' | 'weak' | 'strong' | 'content';

// Names that generators give to page furniture and rarely to text.
const STRONG = wordTest(
  'printfooter dynheader dyncontent catlinks site-sub content-sub mbrsel navigationbar qtdocheader titlearea projectname projectlogo projectbrief projectnumber memsearch footer page-header navbar navheader navfooter navpath navigation nav-bar nav-header nav-footer nav-list nav-links nav-buttons nav-chapters ' +
    'nav-wrapper nav-wide-wrapper topnav top-nav bottomnav bottom-nav subnav sub-nav mainnav main-nav sidenav side-nav ' +
    'pagenav page-nav doc-nav docnav book-nav site-nav sitenav global-nav globalnav breadcrumb breadcrumbs crumbs crumb ' +
    'prevnext prev-next next-prev pagination pagination-nav paginator pager prevnextlinks sequential-nav ' +
    'menubar menu-bar mainmenu main-menu submenu sub-menu navmenu nav-menu dropdown-menu toplinks footer-links ' +
    'searchbox search-box searchbar search-bar searchmenu search-form searchform search-modal search-results ' +
    'skip-link skiplink skip-links skip-nav skip-to-content cookie cookies cookie-banner consent newsletter social ' +
    'social-links share share-buttons edit-page edit-link editlink edit-this-page edit-on-github edit-page-link editsection ' +
    'feedback page-feedback last-updated lastupdated last-modified page-footer site-footer pagefooter sitefooter ' +
    'global-footer footer-wrapper footer-nav pagefoot pageheader site-header siteheader masthead topbar top-bar bottombar ' +
    'version-picker version-switcher version-select version-selector versionswitcher language-picker language-switcher ' +
    'language-select lang-switch lang-toggle toplang bottomlang sphinxsidebar sphinxsidebarwrapper ethical-ads ' +
    'advert advertisement carbonads noprint no-print nosearch print-hidden doc-footer toc-title toctitle ' +
    'announcement announcement-bar back-to-top backtotop scroll-to-top out-of-band rightside doc-source ' +
    'theme-switcher theme-switch theme-toggle search-input copyright-notice mobile-nav nav-drawer overlay-menu left-sidebar right-sidebar sidebar-nav ' +
    'sidebar-wrapper sidebar-container sidebar-tree md-sidebar md-header md-footer md-tabs md-source md-source-file bd-sidebar ' +
    'bd-toc bd-header bd-footer sd-sidebar wy-nav-side wy-nav-top rst-versions rst-footer-buttons toc-drawer ' +
    'tocset tocview tocviewlist navsettop navsetbottom big-circle ' +
    'on-this-page onthispage table-of-contents tableofcontents page-toc pagetoc local-toc localtoc tocbot toc-tree',
);

// Names that count only together with the shape of navigation: many links, or little text.
const WEAK = wordTest(
  'nav menu sidebar sidebars side toc contents header footer foot related links quicklinks index search top bottom up keyboardnav ' +
    'meta metadata tools actions banner brand logo version versions languages lang next prev previous home jump jumplist ' +
    'summary-links path location trail info-links mini-toc minitoc quick-links topics author authors byline tags ' +
    'share-links subscribe promo sponsor ads buttons hd ft tabs tablist navrow navrow1 navrow2 directory skip headings',
);

// Names of text that other rules would mistake for furniture.
const CONTENT = wordTest(
  'admonition callout note tip warning important caution footnote footnotes citation starlight-aside markdown-alert ' +
    'table-contents example-contents figure-contents equation-contents toctree-wrapper sidebar-title topic sidebarblock card-header card-footer highlight fragment memtitle memitem method-detail signature dont-index',
);

const verdicts = new Map<string, NameEvidence>();
// Some sites give every element a unique class; this bounds the cache.
const VERDICTS_MAX = 20_000;
const NAME_LENGTH_MAX = 300;

/** Returns the evidence from an element's class attribute or id. */
export function evidenceOf(element: HtmlElement, attribute: 'class' | 'id'): NameEvidence {
  const name = attribute === 'class' ? element.className : element.id;
  return name ? evidenceOfName(name) : 'none';
}

function evidenceOfName(name: string): NameEvidence {
  if (name.length > NAME_LENGTH_MAX) return 'none';
  let verdict = verdicts.get(name);
  if (verdict === undefined) {
    if (verdicts.size >= VERDICTS_MAX) verdicts.clear();
    verdict = judge(name);
    verdicts.set(name, verdict);
  }
  return verdict;
}

function judge(name: string): NameEvidence {
  const words = ` ${name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[_:]+/g, '-')
    .replace(/\s+/g, '  ')} `;
  if (CONTENT.test(words)) return 'content';
  if (STRONG.test(words)) return 'strong';
  return WEAK.test(words) ? 'weak' : 'none';
}

function wordTest(words: string): RegExp {
  return new RegExp(`[ -](?:${words.trim().split(/\s+/).join('|')})[ -]`);
}
