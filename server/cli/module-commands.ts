import { type LibraryModule, libraryEndpoints } from '#contract/library.ts';
import { calling, jsonOption, printLine, printNote } from './command.ts';
import { table } from './table.ts';
import { flag, type OptionValues } from './usage.ts';

export const modulesCommand = calling(libraryEndpoints.listModules, {
  shape: {
    name: 'modules',
    isRemote: true,
    positionals: [],
    summary: 'Lists the indexed modules.',
    options: { ...jsonOption },
  },
  inputOf: () => ({}),
  json: ({ modules }) => modules,
  print({ modules }) {
    if (modules.length === 0) {
      printNote('Nothing is indexed yet. Start with: lectern index https://…');
    } else {
      const rows = modules.map((module) => [
        module.moduleId,
        module.visibility,
        // A source with as many pages as the limit may have more.
        isCut(module) ? `${module.pageCount} (limit)` : String(module.pageCount),
        String(module.snippetCount),
        module.lastUpdated === null
          ? 'never'
          : new Date(module.lastUpdated).toISOString().slice(0, 16).replace('T', ' '),
        module.url,
      ]);
      const cut = modules.filter(isCut);
      printLine(table(['module', 'for', 'pages', 'passages', 'updated (UTC)', 'source'], rows, new Set([2, 3])));
      if (cut.length > 0)
        printNote(
          '(limit): the source has more pages than its limit; index it again with a higher --max-pages, or index parts of it.',
        );
    }
  },
});

function isCut({ kind, pageCount, limits }: LibraryModule): boolean {
  return kind !== 'pdf' && limits.maxPages > 1 && pageCount >= limits.maxPages;
}

const privateOption = {
  private: { type: 'boolean', help: 'use the private module if a public one has the same id' },
} as const;

export const removeCommand = calling(libraryEndpoints.removeModule, {
  isExclusive: true,
  shape: {
    name: 'remove',
    isRemote: true,
    positionals: ['a module'],
    summary: 'Removes a module and its index.',
    options: privateOption,
  },
  inputOf: ({ values, positionals: [moduleId = ''] }) => ({ moduleId, visibility: visibilityOf(values) }),
  print: (_removed, { positionals: [moduleId] }) => printLine(`Removed ${moduleId}.`),
});

export const renameCommand = calling(libraryEndpoints.renameModule, {
  isExclusive: true,
  shape: {
    name: 'rename',
    isRemote: true,
    positionals: ['a module', 'a name'],
    summary: "Changes a module's display name; its id stays the same.",
    options: privateOption,
  },
  inputOf: ({ values, positionals: [moduleId = '', displayName = ''] }) => ({
    ...{ moduleId, displayName, visibility: visibilityOf(values) },
  }),
  print: ({ module }) => printLine(`${module.moduleId} is now called ${module.displayName}.`),
});

function visibilityOf(values: OptionValues): 'private' | undefined {
  return flag(values, 'private') ? 'private' : undefined;
}
