// Writes the product's own documentation for the build of the browser application: Markdown files of docs/ and
// references generated from the code become pages in dist/docs/pages.json, and files in dist/docs/pages for a new
// installation to index.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DocsPage, docsSectionIds, type WrittenDocs, writtenDocs } from '../../contract/product-docs.ts';
import { placeholders } from '../../contract/public-page.ts';
import { cliReference } from './cli-reference.ts';
import { docsSegment, listPages } from './docs-segment.ts';
import { errorIndex } from './error-index.ts';
import { firstPage, sectionTitles } from './first-page.ts';
import { mcpReference } from './mcp-reference.ts';
import { renderMarkdown } from './render-markdown.ts';
import { restReference } from './rest-reference.ts';
import { configurationPage, type DocsSource, daysOfChange, errorSources, hrefFrom, writtenSources } from './sources.ts';

/** Returns all documentation pages, rendered, in reading order. */
export async function writeDocs(root: string): Promise<WrittenDocs> {
  const sources = [
    ...writtenSources(root),
    ...(await restReference(root)),
    mcpReference(),
    cliReference(),
    configurationPage(root),
    errorIndex(),
    ...errorSources(root),
  ];
  const paths = new Set(['/docs', ...sources.map(({ path }) => path)]);
  const dayOf = daysOfChange(root);
  const render = async (source: DocsSource): Promise<DocsPage> => {
    const markdown = source.markdown.replace(/\bLectern\b/g, placeholders.productName);
    const rendered = await renderMarkdown(markdown, (target) => hrefFrom(source, target, paths));
    const { path, section, sourcePath, isGenerated } = source;
    return { path, section, sourcePath, isGenerated, updatedOn: dayOf([sourcePath]), markdown, ...rendered };
  };
  const pages: DocsPage[] = [];
  for (const source of sources) pages.push(await render(source));
  const sections = docsSectionIds
    .map((id) => ({
      id,
      title: sectionTitles[id],
      paths: pages.filter(({ section }) => section === id).map(({ path }) => path),
    }))
    .filter((section) => section.paths.length > 0);
  return writtenDocs.parse({ sections, pages: [await render(firstPage(sections, pages)), ...pages] });
}

/** Writes pages and index into `dist/docs`; unchanged files are not rewritten. */
export async function buildDocs(root: string): Promise<void> {
  const folder = join(root, 'dist/docs');
  const docs = await writeDocs(root);
  mkdirSync(folder, { recursive: true });
  writeIfChanged(join(folder, 'docs.segment'), Buffer.from(docsSegment(docs.pages)));
  writeIfChanged(join(folder, 'pages.json'), Buffer.from(JSON.stringify(docs)));
  writePages(join(folder, 'pages'), docs.pages);
}

/**
 * Writes each page as a Markdown file that an installation can index like any folder, and deletes files of removed
 * pages.
 */
function writePages(folder: string, pages: readonly DocsPage[]): void {
  const files = new Map(
    pages
      .filter(({ path }) => !listPages.has(path))
      .map(({ path, markdown }) => [
        `${path.slice('/docs/'.length)}.md`,
        markdown.replaceAll(placeholders.productName, 'Lectern'),
      ]),
  );
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (entry.isFile() && !files.has(file)) rmSync(join(folder, file));
  }
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeIfChanged(join(folder, file), Buffer.from(text));
  }
}

function writeIfChanged(file: string, bytes: Buffer): void {
  if (!existsSync(file) || !readFileSync(file).equals(bytes)) writeFileSync(file, bytes);
}

if (import.meta.main) await buildDocs(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
