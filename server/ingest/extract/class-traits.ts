import type { HtmlElement } from './html-tree.ts';

/** Traits that a class attribute gives its element, one bit each. */
export const TRAIT = {
  /** Hidden, or shown only to assistive technology, after a click or on hover. */
  hides: 1,
  /** One of several alternative views, only one of which is visible. */
  panel: 2,
  /** Page controls that are not content: permalink marks, source links, copy buttons. */
  service: 4,
  /** A page control if it is short; the class name is also used for words of the text. */
  shortService: 8,
  /** A formula. */
  formula: 16,
  /** Line numbers beside code. */
  gutter: 32,
  /** A label for the neighbouring text. */
  label: 64,
} as const;

const NAMES: [number, string][] = [
  [
    TRAIT.hides,
    'sr-only visually-hidden visuallyhidden screen-reader-text screenreader-only screen-reader-only show-for-sr ' +
      'u-visually-hidden assistive-text a11y-hidden visually-hidden-focusable sr-only-focusable hideme ' +
      'dropdown-menu ttc annottext',
  ],
  [TRAIT.panel, 'tab-pane tabbed-block tabpanel tab-panel sd-tab-content tabcontent'],
  [
    TRAIT.service,
    'headerlink permalink header-anchor hash-link heading-anchor heading-link anchorjs-link anchor-link headeranchor-link ' +
      'section-anchor self-link selflink viewcode-link viewcode-back srclink src-link source-link source_link sourceLink showSource ' +
      'summary_toggle view-source notable-traits notable-traits-tooltip out-of-band rightside right-side ' +
      'copybtn copy-button copy-code copy-to-clipboard btn-copy code-copy clipboard code-lang language-label ' +
      'mw-editsection edit-link editlink id_link memoverload legacy test-arrow theme-doc-version-badge octicon octicon-link link-icon ' +
      'signature-attributes copy-popup-wrapper ingroups inline-action icon-action detail-link method-click-advice method-source-toggle u-permalink sr-anchor anchor-icon ' +
      'tableTab activeTableTab noscript:hidden',
  ],
  [TRAIT.shortService, 'since tooltip lang copy'],
  [TRAIT.formula, 'math katex katex-display MathJax MathJax_Preview arithmatex tex2jax_process mwe-math-element'],
];

const BY_NAME = new Map<string, number>();
for (const [trait, names] of NAMES) for (const name of names.split(' ')) BY_NAME.set(name, trait);

const GUTTER =
  /^(?:lnt|ln|lno|hljs-ln-n|(?:.*[-_])?(?:lineno|linenos|linenumber|linenumbers|line-number|line-numbers|line-numbers-rows|line-numbers-wrapper|gutter|linenodiv|ln-num|line-num|blob-num|ln-numbers|normal-line-number))$/;

const LABEL = /^(?:mlabel|tsd-tag|feature|.*badge)$/i;

const known = new Map<string, number>();
// Some sites give every element a unique class; this bounds the cache.
const KNOWN_MAX = 20_000;

/** Returns true if one of the element's classes has the trait (or one of several, joined by `|`). */
export function hasTrait(element: HtmlElement, trait: number): boolean {
  const { className } = element;
  return className !== '' && (traitsOf(className) & trait) !== 0;
}

function traitsOf(className: string): number {
  const seen = known.get(className);
  if (seen !== undefined) return seen;
  let traits = 0;
  for (const name of className.split(/\s+/))
    traits |= (BY_NAME.get(name) ?? 0) | (GUTTER.test(name) ? TRAIT.gutter : 0) | (LABEL.test(name) ? TRAIT.label : 0);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(className, traits);
  return traits;
}
