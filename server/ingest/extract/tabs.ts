import { childElements, elementBefore, findElement, type HtmlElement, squashedText } from './html-tree.ts';
import { isInside } from './main-content.ts';
import type { PageSurvey } from './page-survey.ts';
import { isTabPanel, panelName } from './visibility.ts';

// Generators place the tab bar beside the panels or up to this many levels above them.
const ROW_LEVELS_MAX = 4;
const LABEL_LENGTH_MAX = 80;
const HEADER_LENGTH_MAX = 200;
const ROW = /^(?:tabs|tabbed-labels|tablist|tab-list|nav-tabs|tab-labels|tab-buttons|tabs-list|tabs__list)$/;

/**
 * Returns each tab panel's label: by reference from panel to tab or back, or else the label at the same position in the
 * nearest tab bar. Marks the tab bars as dropped, because every label will precede its panel.
 */
export function labelPanels(survey: PageSurvey): Map<HtmlElement, string> {
  const labels = new Map<HtmlElement, string>();
  const finder = new RowFinder();
  for (const panel of survey.panels) {
    const label = referencedLabel(panel, survey, finder) ?? labelBefore(panel) ?? finder.labelOf(panel);
    if (label) labels.set(panel, label);
  }
  return labels;
}

function referencedLabel(panel: HtmlElement, survey: PageSurvey, finder: RowFinder): string | undefined {
  const labelledBy = panel.attribute('aria-labelledby');
  const byTab = labelledBy === undefined ? undefined : survey.tabLabels.get(labelledBy);
  const name = panel.id ?? panelName(panel);
  const label = byTab ?? (name === undefined ? undefined : survey.tabLabels.get(name));
  if (label !== undefined) finder.rowOf(panel);
  return label;
}

/** Returns the label before the panel: with radio-button tabs, each `label` precedes its panel. */
function labelBefore(panel: HtmlElement): string | undefined {
  const before = elementBefore(panel);
  if (before?.name !== 'label') return undefined;
  before.isDropped = true;
  return shortText(before);
}

/** Finds tab bars. Caches results per element, because many panels share their ancestors. */
class RowFinder {
  readonly #rows = new Map<HtmlElement, HtmlElement | undefined>();
  readonly #labels = new Map<HtmlElement, (string | undefined)[]>();
  readonly #places = new Map<HtmlElement, number>();

  labelOf(panel: HtmlElement): string | undefined {
    const row = this.rowOf(panel);
    if (!row) return undefined;
    let labels = this.#labels.get(row);
    if (!labels) {
      labels = labelsIn(row);
      this.#labels.set(row, labels);
    }
    return labels[this.#placeOf(panel)];
  }

  /** Returns the tab bar nearest to a panel and marks it as dropped. */
  rowOf(panel: HtmlElement): HtmlElement | undefined {
    let around = panel.parent;
    for (let level = 0; around && level < ROW_LEVELS_MAX; level++, around = around.parent) {
      if (!this.#rows.has(around)) this.#rows.set(around, rowIn(around));
      const row = this.#rows.get(around);
      // An element that contains the panel is not a tab bar (Scaladoc 3).
      if (!row || isInside(panel, row)) continue;
      row.isDropped = true;
      return row;
    }
    return undefined;
  }

  #placeOf(panel: HtmlElement): number {
    if (!this.#places.has(panel)) {
      const panels = panel.parent ? childElements(panel.parent).filter(isTabPanel) : [];
      panels.forEach((sibling, place) => this.#places.set(sibling, place));
    }
    return this.#places.get(panel) ?? 0;
  }
}

/** Returns a tab bar among the children, or beside a title in one of them (Docusaurus' OpenAPI plugin). */
function rowIn(around: HtmlElement): HtmlElement | undefined {
  const children = childElements(around);
  const isHeader = (child: HtmlElement) => child.textLength <= HEADER_LENGTH_MAX && !findElement(child, isTabPanel);
  return children.find(isRow) ?? children.filter(isHeader).flatMap((child) => findElement(child, isRow) ?? [])[0];
}

function isRow(element: HtmlElement): boolean {
  return element.role === 'tablist' || element.classes.some((name) => ROW.test(name));
}

function labelsIn(row: HtmlElement): (string | undefined)[] {
  const tabs: HtmlElement[] = [];
  findElement(row, (element) => {
    const isLink = element.name === 'a' && element.role === undefined;
    if (element.role === 'tab' || element.name === 'label' || isLink) tabs.push(element);
    return false;
  });
  return tabs.map(shortText);
}

function shortText(element: HtmlElement): string | undefined {
  const text = squashedText(element);
  return text !== '' && text.length <= LABEL_LENGTH_MAX ? text : undefined;
}
