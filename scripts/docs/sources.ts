import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { errorTable } from '../../contract/errors.ts';
import type { DocsSectionId } from '../../contract/product-docs.ts';

/** A page before it is rendered. */
export interface DocsSource {
  path: string;
  section: DocsSectionId | null;
  /** Markdown that begins with the title; links are relative to `sourcePath`, or page paths. */
  markdown: string;
  sourcePath: string;
  isGenerated: boolean;
}

/**
 * Returns the Markdown files of `docs/` in the order of `docs/contents.json`. Throws for a file that is not listed
 * there.
 */
export function writtenSources(root: string): DocsSource[] {
  const contents = JSON.parse(readFileSync(join(root, 'docs/contents.json'), 'utf8')) as Record<
    'guide' | 'operate',
    string[]
  >;
  return (['guide', 'operate'] as const).flatMap((section) => {
    const listed = contents[section];
    const missing = namesIn(root, section).filter((name) => !listed.includes(name) && name !== 'configuration');
    if (missing.length > 0) throw new Error(`docs/contents.json does not list ${section}/${missing.join(', ')}`);
    return listed.map((name) => fileSource(root, section, name));
  });
}

/** Returns the generated reference of variables: a file among the operators' documents, and a page of the reference. */
export function configurationPage(root: string): DocsSource {
  const source = fileSource(root, 'operate', 'configuration');
  return { ...source, path: '/docs/reference/configuration', section: 'reference', isGenerated: true };
}

/** Returns a page for each error code, in alphabetical order. */
export function errorSources(root: string): DocsSource[] {
  return Object.keys(errorTable)
    .sort()
    .map((code) => fileSource(root, 'errors', code));
}

function namesIn(root: string, section: string): string[] {
  return readdirSync(join(root, 'docs', section)).flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? []);
}

function fileSource(root: string, section: DocsSectionId, name: string): DocsSource {
  const sourcePath = `docs/${section}/${name}.md`;
  return {
    path: `/docs/${section}/${name}`,
    section,
    markdown: readFileSync(join(root, sourcePath), 'utf8'),
    sourcePath,
    isGenerated: false,
  };
}

/** Returns the page that a relative link leads to, or undefined if it is not a page. */
export function hrefFrom(source: DocsSource, target: string, paths: ReadonlySet<string>): string | undefined {
  const [file = '', fragment] = target.split('#');
  const path = file.startsWith('/')
    ? file
    : `/${posix.join(posix.dirname(source.sourcePath), file)}`.replace(/\.md$/, '').replace(/\/README$/, '');
  if (path === '/docs/operate/configuration') return '/docs/reference/configuration';
  if (!file.startsWith('/') && !paths.has(path)) return undefined;
  return fragment === undefined ? path : `${path}#${fragment}`;
}

/**
 * Returns a function that finds when files last changed: from the git history, or from the file system if there is
 * none.
 */
export function daysOfChange(root: string): (paths: readonly string[]) => string {
  const days = new Map<string, string>();
  const log = spawnSync('git', ['log', '--format=@%cs', '--name-only', '--', 'docs', 'contract', 'server'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  let day = '';
  for (const line of log.status === 0 ? log.stdout.split('\n') : []) {
    if (line.startsWith('@')) day = line.slice(1);
    else if (line !== '' && !days.has(line)) days.set(line, day);
  }
  const dayOf = (path: string): string => days.get(path) ?? statSync(join(root, path)).mtime.toISOString().slice(0, 10);
  return (paths) => paths.map(dayOf).sort().at(-1) ?? '';
}
