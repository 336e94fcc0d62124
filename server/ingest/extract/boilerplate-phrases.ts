/** Text of links that serve the page and not the subject: edit, report, jump, print. */
export const SERVICE_LINK =
  /^\W*(edit|edit (this|on|source)\b.*|improve this\b.*|suggest (an? )?(edit|change)s?\b.*|report (an? |this )?(issue|bug|problem|error|typo)\b.*|(view|show|see|open) (this |page |the )?(page )?(source|on git(hub|lab)|in git(hub|lab)|raw|history)\b.*|page source|source code|skip to\b.*|jump to (main |the )?(content|navigation)\b.*|(back|go|return|scroll) to (the )?top\b.*|print (this|page|view)\b.*|toggle\b.*|copy (link|page|code)|permalink.*|\[?more\W{1,4}|link to this\b.*|direct link to\b.*)\W*$/i;

/** Text that belongs to the foot of a page. */
export const FOOT_PHRASE =
  /(?:©|\(c\) ?(?:19|20)\d\d|copyright\b|all rights reserved|\bgenerated (?:by|on|at|with|using|from)\b|\b(?:powered|built|made|hosted) (?:by|with|using|on)\b|\bcreated using\b|\b(?:website|site|page|theme|web) design(?:ed)? by\b|\bproduced by\b|\blast (?:updated?|modified|changed|edited|built|generated)\b|\bpage last\b|\bwas this (?:page|article|helpful)\b|\bfound a (?:bug|problem|mistake|typo)\b|\blicensed under\b|\bprivacy policy\b|\bterms of (?:use|service)\b|\bcookie)/i;

/** Text of links that move through the pages in order. */
export const STEP_LINK =
  /^\W*(prev(ious)?|next|up|home|top|back|forward|first|last|contents?|table of contents|toc|index|general index|main|overview|parent|fast ?back|fast ?forward)\b(?:[\s:»«<>|-]|$)/i;

/** The words among them that say nothing else. */
export const STRONG_STEP = /^\W*(?:prev(?:ious)?|next|up)\b(?:[\s:»«<>|-]|$)/i;

/** Links with an arrow: `← Authentication`, `Errors →`. */
export const ARROW_LINK = /^(?:[←‹«⟵]|<-|<<)\s*\S|\S\s*(?:[→›»⟶]|->|>>)$/;

/** Title of a list of the page's own sections. */
export const CONTENTS_TITLE =
  /^\W*((table of )?contents?|on this page|in this (article|page|section|document|guide|chapter)|page contents|toc|topics|quick links|jump to|sections|index of this page|short table of contents)\W*$/i;

/** A whole line of links in order: `Next: Quoting, Previous: Syntax, Up: Top`. */
export const STEP_LINE = /^\W*(?:next|prev(?:ious)?|up|top)\s*:/i;

/** A notice above the page about which version of the documentation it belongs to. */
export const VERSION_NOTICE =
  /\b(?:unreleased|outdated|older|old|latest|newer|current stable|development|in-development|stable|archived) (?:version|release|docs|documentation)\b|\b(?:no longer (?:actively )?maintained|you(?: are|'re|’re) (?:reading|viewing|looking at) (?:the|an?)\b.*\b(?:version|documentation|docs))\b/i;
