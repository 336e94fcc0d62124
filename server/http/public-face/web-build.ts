import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PublicPage, publicPage } from '#contract/public-page-schema.ts';

/** Information from the web application's build for the server. */
export interface WebBuild {
  /** Hashes (`sha256-…`) of the inline scripts of each page, by file name. */
  scriptHashes: Record<string, string[]>;
  publicPages: PublicPage[];
  /**
   * Patterns of the paths that have a page (`/resources/:moduleId`, `/sign-in/:code?`, `/document/*`), with the scripts
   * that each loads in addition to the shell's.
   */
  routes: Record<string, string[]>;
}

/** Reads the build's information for the server; empty without a build. */
export async function readWebBuild(root: string): Promise<WebBuild> {
  const [csp, pages, routes] = await Promise.all([
    readJson(join(root, 'csp.json')),
    readJson(join(root, 'public-pages.json')),
    readJson(join(root, 'routes.json')),
  ]);
  return {
    scriptHashes: (csp as WebBuild['scriptHashes'] | undefined) ?? {},
    publicPages: publicPage.array().parse(pages ?? []),
    routes: (routes as WebBuild['routes'] | undefined) ?? {},
  };
}

/**
 * Returns the scripts of the application's route at `path`; undefined without a route. Segments must match exactly; `*`
 * matches any rest.
 */
export function scriptsAt(routes: WebBuild['routes'], path: string): string[] | undefined {
  const asked = segmentsOf(path);
  return Object.entries(routes).find(([route]) => {
    const pattern = segmentsOf(route);
    const isOpen = pattern.at(-1) === '*';
    const fixed = isOpen ? pattern.slice(0, -1) : pattern;
    const needed = fixed.filter((segment) => !segment.endsWith('?')).length;
    if (asked.length < needed || (!isOpen && asked.length > fixed.length)) return false;
    return asked.slice(0, fixed.length).every((segment, at) => isMatch(fixed[at] ?? '', segment));
  })?.[1];
}

function isMatch(pattern: string, segment: string): boolean {
  return pattern.startsWith(':') || pattern.replace(/\?$/, '').toLowerCase() === segment.toLowerCase();
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

async function readJson(name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(name, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
