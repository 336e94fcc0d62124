/** Text of links that act on the page rather than lead to content: edit, report, jump, print. */
export const SERVICE_LINK =
  /^\W*(edit|edit (this|on|source)\b.*|improve this\b.*|suggest (an? )?(edit|change)s?\b.*|report (an? |this )?(issue|bug|problem|error|typo)\b.*|(view|show|see|open) (this |page |the )?(page )?(source|on git(hub|lab)|in git(hub|lab)|raw|history)\b.*|page source|source code|skip to\b.*|jump to (main |the )?(content|navigation)\b.*|(back|go|return|scroll) to (the )?top\b.*|print (this|page|view)\b.*|toggle\b.*|copy (link|page|code)|permalink.*|\[?more\W{1,4}|\.{3}|…|link to this\b.*|direct link to\b.*)\W*$/i;

/** Start of a copyright line. Later words do not count: a page may be about copyright. */
const RIGHTS =
  /^\W*(?:copyright\s*)?(?:©|\(c\)\s*(?:19|20)\d\d)|^\W*copyright\s+(?:(?:by|the)\b|(?:19|20)\d\d)|^\W*all rights reserved\b|^\W*this software is provided\W{1,3}as[- ]is\b|^\W*(?:except (?:where|as)|unless) otherwise (?:noted|stated|specified)\b.{0,100}\blicen[cs]ed under\b/i;

/** A copyright line below another line, such as the title of a book. */
const RIGHTS_BELOW = /\n[ \t]*copyright\s*(?:©|\(c\))\s*(?:19|20)\d\d/i;

/** Start of a line about how or when the page was generated. */
const MAKING =
  /^\W*(?:[\w'’-]+ ){0,4}?(?:(?:generated|powered|built|made|hosted|created|produced|designed) (?:by|with|using|on|at|from)\b|(?:last|page) (?:update(?:d)?|modified|changed|edited|built|generated|rebuilt)\b)/i;

/** A date alone, with the word that says what of. */
const UPDATED = /^\W*updated:? (?:on )?(?:19|20)\d\d-\d\d-\d\d(?:[ T][\d:]{4,8}(?: ?[A-Z]{1,4})?)?\W*$/i;

/** A date, a version or a generator's name, which a line about the page's making must contain. */
const MADE_WHEN_OR_WITH =
  /\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b|\b\d+\.\d+|\b(?:\d+|an?|one) (?:minute|hour|day|week|month|year)s? ago\b|\b(?:doxygen|sphinx|javadoc|gi-docgen|gtk-doc|gtkdoc|mkdocs|docbook|asciidoctor|asciidoc|rdoc|yard|haddock|texi2any|makeinfo|texinfo|latex2html|pandoc|hevea|tex4ht|jsdoc|typedoc|rustdoc|mdbook|dokka|phpdoc\w*|docusaurus|vitepress|hugo|jekyll|read the docs|epydoc|pdoc|naturaldocs|fpdoc|edoc|exdoc|qdoc|odoc|ocamldoc|scribble|github pages|gitbook|netlify)\b/i;

/** Short lines that ask the reader for feedback or link to terms. */
const READER_SERVICE =
  /^\W*(?:was this (?:page|article|document|section)? ?helpful|(?:did you )?(?:find|found) an? (?:bug|problem|mistake|typo|error)\b|privacy policy|terms of (?:use|service)|cookie (?:policy|preferences|settings))/i;

const RIGHTS_LENGTH_MAX = 500;
const MAKING_LENGTH_MAX = 200;
const SERVICE_LENGTH_MAX = 120;

/**
 * Returns true for footer text: short, with a known opening and, if about the page's making, a date, version or
 * generator.
 */
export function isFootText(text: string, kind: 'any' | 'making' = 'any'): boolean {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= MAKING_LENGTH_MAX && MAKING.test(line) && MADE_WHEN_OR_WITH.test(line)) return true;
  if (UPDATED.test(line)) return true;
  if (kind === 'making') return false;
  if (line.length <= RIGHTS_LENGTH_MAX && (RIGHTS.test(line) || RIGHTS_BELOW.test(text))) return true;
  return line.length <= SERVICE_LENGTH_MAX && READER_SERVICE.test(line);
}

/** Text of links to the previous, next or parent page, or to an overview. */
export const STEP_LINK =
  /^\W*(prev(ious)?|next|up|home|top|back|forward|first|last|contents?|table of contents|toc|index|general index|main|overview|parent|fast ?back|fast ?forward)\b(?:[\s:»«<>|-]|$)/i;

/** The step words that have no other meaning. */
export const STRONG_STEP = /^\W*(?:prev(?:ious)?|next|up)\b(?:[\s:»«<>|-]|$)/i;

/** Links with an arrow: `← Authentication`, `Errors →`, or an arrow alone. */
export const ARROW_LINK = /^(?:[←‹«⟵]|<-|<<)\s*\S|\S\s*(?:[→›»⟶]|->|>>)$|^(?:<{1,3}|>{1,3}|[←‹«⟵→›»⟶])$/;

/** Title of a page's local table of contents. */
export const CONTENTS_TITLE =
  /^\W*((table of )?contents?|on this page|in this (article|page|section|document|guide|chapter)|page contents|toc|topics|quick links|jump to|sections|index of this page|short table of contents)\W*$/i;

/** A line of step links: `Next: Quoting, Previous: Syntax, Up: Top`. */
export const STEP_LINE = /^\W*(?:next|prev(?:ious)?|up|top)\s*:/i;

/** A notice above the page about the version it documents. */
export const VERSION_NOTICE =
  /\b(?:unreleased|outdated|older|old|latest|newer|current stable|development|in-development|stable|archived) (?:version|release|docs|documentation)\b|\b(?:no longer (?:actively )?maintained|you(?: are|'re|’re) (?:reading|viewing|looking at) (?:the|an?)\b.*\b(?:version|documentation|docs))\b/i;
