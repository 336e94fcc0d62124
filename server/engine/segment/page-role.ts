/** What a page is for, as far as its address and title tell. The numbers are stored. */
export const pageRoles = ['guide', 'record', 'index', 'source'] as const;
export type PageRole = (typeof pageRoles)[number];

const recordFolder =
  /\/(release[-_]?(notes?|log)?|releases|change[-_]?logs?|what'?s[-_]?new|news|announce(ments?)?|history)\//i;
const recordFile = /\/(release[-_]?notes?|release[-_]v?\d[^/]*|change[-_]?log|what'?s[-_]?new)([-_.\d][^/]*)?$/i;
const recordTitle =
  /\b(release notes?|change ?log|change history|what[’']?s new)\b|^(changes|news|history)$|\brelease \d+\.\d|^version \d+\.\d/i;
const indexFile = /\/(gen|py-mod|mod|keyword_?|the)index(-[^/]*)?(\.\w+)?$/i;
const indexTitle = /^((general|module|keyword|python module|function|symbol|alphabetical) )?index$/i;
const sourceFolder = /\/(_modules|_sources|src)\//i;
const sourceTitle = /^source code (for|of) /i;

/**
 * Guesses the role of a page: records of releases, alphabetical indexes and program sources name every subject without
 * explaining it, so they crowd out the page that does.
 */
export function pageRoleOf(url: string, title: string): PageRole {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  const name = title.replace(/^[\dA-Z]+(\.\d+)*\.\s+/, '').trim();
  if (indexFile.test(path) || indexTitle.test(name)) return 'index';
  if (sourceFolder.test(path) || sourceTitle.test(name)) return 'source';
  const isRecord = recordFolder.test(path) || recordFile.test(path) || recordTitle.test(name);
  return isRecord ? 'record' : 'guide';
}
