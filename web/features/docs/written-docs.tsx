import {
  type DocsPage,
  type DocsSectionId,
  publicPageOf,
  type WrittenDocs,
  writtenDocs,
} from '#contract/product-docs.ts';
import text from '../../../dist/docs/pages.json?raw';
import { PageHead } from '../../lib/public-page-head.tsx';
import { writtenElementId } from '../../lib/written-page.ts';

const docs: WrittenDocs = writtenDocs.parse(JSON.parse(text));

/** A documentation page for prerendering. This module is never sent to the browser. */
export function WrittenDocs({ path }: { path: string }) {
  const page = docs.pages.find((known) => known.path === path);
  if (page === undefined) throw new Error(`there is no page ${path} in dist/docs/pages.json`);
  const about = publicPageOf(page);
  return (
    <>
      <PageHead page={about} />
      <div id={writtenElementId} data-page={JSON.stringify(about)} className="docs">
        <Menu page={page} />
        <Text page={page} />
        <Outline page={page} />
      </div>
    </>
  );
}

function Menu({ page }: { page: DocsPage }) {
  const links = (
    <ul className="docs-menu-list">
      <li>
        <MenuLink path="/docs" title="Overview" page={page} />
      </li>
      {docs.sections.map(({ id, title, paths }) => (
        <li key={id}>
          <p className="docs-menu-title">{title}</p>
          <ul>
            {shownInMenu(id, paths, page).map((path) => (
              <li key={path} className={path.split('/').length > 4 ? 'docs-menu-deep' : undefined}>
                <MenuLink path={path} title={pageAt(path).title} page={page} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <div className="docs-search-narrow">
        <SearchButton />
      </div>
      <details className="docs-menu-narrow">
        <summary>
          <span className="docs-menu-narrow-label">Menu</span>
          {page.section === null ? 'Documentation' : `${sectionTitle(page)} › ${page.title}`}
        </summary>
        <nav aria-label="Documentation, menu">{links}</nav>
      </details>
      <nav className="docs-menu" aria-label="Documentation">
        <SearchButton />
        {links}
      </nav>
    </>
  );
}

/** Visible once the search script has loaded. */
function SearchButton() {
  return (
    <button type="button" data-docs-search="" className="docs-search" aria-keyshortcuts="/">
      Search the docs <kbd aria-hidden>/</kbd>
    </button>
  );
}

/** Returns a section's pages to show in the menu. Of the error pages, only the list and the current page are shown. */
function shownInMenu(id: DocsSectionId, paths: string[], page: DocsPage): string[] {
  if (id !== 'errors') return paths;
  return paths.filter((path) => path === '/docs/errors' || path === page.path);
}

function MenuLink({ path, title, page }: { path: string; title: string; page: DocsPage }) {
  return (
    <a href={path} aria-current={path === page.path ? 'page' : undefined}>
      {title}
    </a>
  );
}

function Text({ page }: { page: DocsPage }) {
  return (
    <article className="docs-text" aria-labelledby={page.anchor}>
      {page.section !== null && <p className="docs-section">{sectionTitle(page)}</p>}
      <h1 id={page.anchor} className="heading-page">
        {page.title}
      </h1>
      <NarrowOutline page={page} />
      <div className="prose docs-prose" dangerouslySetInnerHTML={{ __html: page.html }} />
      <Neighbours page={page} />
      <p className="docs-source">
        {page.isGenerated ? 'Generated from' : 'Written in'} <code>{page.sourcePath}</code>, last changed on{' '}
        <time dateTime={page.updatedOn}>{page.updatedOn}</time>.
      </p>
    </article>
  );
}

function Outline({ page }: { page: DocsPage }) {
  if (page.outline.length < 2) return null;
  return (
    <nav className="docs-outline" aria-labelledby="docs-outline-title">
      <p id="docs-outline-title" className="docs-menu-title">
        On this page
      </p>
      <OutlineLinks page={page} />
    </nav>
  );
}

function NarrowOutline({ page }: { page: DocsPage }) {
  if (page.outline.length < 2) return null;
  return (
    <details className="docs-outline-narrow">
      <summary>On this page</summary>
      <nav aria-label="On this page">
        <OutlineLinks page={page} />
      </nav>
    </details>
  );
}

function OutlineLinks({ page }: { page: DocsPage }) {
  return (
    <ul>
      {page.outline.map(({ anchor, text: heading, level }) => (
        <li key={anchor} className={level === 3 ? 'docs-outline-deep' : undefined}>
          <a href={`#${anchor}`}>{heading}</a>
        </li>
      ))}
    </ul>
  );
}

function Neighbours({ page }: { page: DocsPage }) {
  const order = docs.sections.flatMap(({ paths }) => paths);
  const at = order.indexOf(page.path);
  const [previous, next] = at < 0 ? [undefined, order[0]] : [at === 0 ? '/docs' : order[at - 1], order[at + 1]];
  return (
    <nav className="docs-neighbours" aria-label="Previous and next page">
      {previous !== undefined && (
        <a href={previous} rel="prev">
          <span>Previous</span>
          {pageAt(previous).title}
        </a>
      )}
      {next !== undefined && (
        <a href={next} rel="next" className="docs-next">
          <span>Next</span>
          {pageAt(next).title}
        </a>
      )}
    </nav>
  );
}

function sectionTitle(page: DocsPage): string {
  return docs.sections.find(({ id }) => id === page.section)?.title ?? '';
}

function pageAt(path: string): DocsPage {
  const page = docs.pages.find((known) => known.path === path);
  if (page === undefined) throw new Error(`there is no page ${path}`);
  return page;
}
