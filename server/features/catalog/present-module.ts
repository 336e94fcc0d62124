import type { LibraryModule, SourceLimits } from '#contract/library.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { folderAddress } from './folder-address.ts';
import { libraryVersionOf } from './library-version.ts';
import type { ModuleRow } from './module-store.ts';
import { type Source, sourceIn, unknownSource } from './source.ts';

export function visibilityOf(workspace: Workspace): 'public' | 'private' {
  return workspace === 'public' ? 'public' : 'private';
}

export function presentModule(row: ModuleRow, seesPaths: boolean): LibraryModule {
  const known = sourceIn(row.source);
  const source = known ?? unknownSource;
  return {
    moduleId: row.slug,
    displayName: row.displayName,
    visibility: visibilityOf(row.workspace),
    kind: row.kind,
    url: known === undefined ? '' : placeOf(row.slug, known, seesPaths),
    isSourceLost: known === undefined,
    limits: limitsOf(source),
    ...libraryVersionOf(source, row.slug),
    rendersScripts: source.kind === 'site' && source.rendersScripts === true,
    hasCredential: 'credentialId' in source && source.credentialId !== undefined,
    pageCount: row.pageCount,
    snippetCount: row.snippetCount,
    tokenCount: row.tokenCount,
    byteCount: row.byteCount,
    lastUpdated: row.lastUpdatedAt,
  };
}

export function limitsOf({ maxPages, depth, seeds }: Source): SourceLimits {
  return { maxPages, depth: depth ?? null, seeds };
}

/** Returns a source's location, as far as the reader may see it. */
export function placeOf(slug: string, { kind, url }: Pick<Source, 'kind' | 'url'>, seesPaths: boolean): string {
  return kind === 'folder' && !seesPaths ? folderAddress(slug) : url;
}
