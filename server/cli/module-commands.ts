import { type LibraryModule, libraryEndpoints } from '#contract/library.ts';
import { type Command, exitCodes, jsonOption, printJson, printLine, printNote } from './command.ts';
import { table } from './table.ts';
import { flag } from './usage.ts';

export const modulesCommand: Command = {
  shape: {
    name: 'modules',
    isRemote: true,
    positionals: [],
    summary: 'Lists the indexed modules.',
    options: { ...jsonOption },
  },
  async run({ values, withCall }) {
    const { modules } = await withCall({ isExclusive: false }, (call) => call(libraryEndpoints.listModules, {}));
    if (flag(values, 'json')) {
      printJson(modules);
    } else if (modules.length === 0) {
      printNote('Nothing is indexed yet. Start with: lectern index https://…');
    } else {
      const rows = modules.map((module) => [
        module.moduleId,
        module.visibility,
        // A source of as many pages as it may have had more.
        isCut(module) ? `${module.pageCount} (limit)` : String(module.pageCount),
        String(module.snippetCount),
        module.lastUpdated === null
          ? 'never'
          : new Date(module.lastUpdated).toISOString().slice(0, 16).replace('T', ' '),
        module.url,
      ]);
      const cut = modules.filter(isCut);
      printLine(table(['module', 'for', 'pages', 'snippets', 'updated (UTC)', 'source'], rows, new Set([2, 3])));
      if (cut.length > 0)
        printNote(
          '(limit): the source has more pages than it was given; index it again with a higher --max-pages, or parts of it.',
        );
    }
    return exitCodes.done;
  },
};

function isCut({ kind, pageCount, limits }: LibraryModule): boolean {
  return kind !== 'pdf' && limits.maxPages > 1 && pageCount >= limits.maxPages;
}

export const removeCommand: Command = {
  shape: {
    name: 'remove',
    isRemote: true,
    positionals: ['a module'],
    summary: 'Removes a module and its index.',
    options: { private: { type: 'boolean', help: 'use the private module if a public one has the same id' } },
  },
  async run({ values, positionals, withCall }) {
    const moduleId = positionals[0] ?? '';
    const visibility = flag(values, 'private') ? ('private' as const) : undefined;
    await withCall({ isExclusive: true }, (call) => call(libraryEndpoints.removeModule, { moduleId, visibility }));
    printLine(`Removed ${moduleId}.`);
    return exitCodes.done;
  },
};

export const renameCommand: Command = {
  shape: {
    name: 'rename',
    isRemote: true,
    positionals: ['a module', 'a name'],
    summary: 'Renames a module for people; its id stays.',
    options: { private: { type: 'boolean', help: 'use the private module if a public one has the same id' } },
  },
  async run({ values, positionals, withCall }) {
    const [moduleId = '', displayName = ''] = positionals;
    const visibility = flag(values, 'private') ? ('private' as const) : undefined;
    const { module } = await withCall({ isExclusive: true }, (call) =>
      call(libraryEndpoints.renameModule, { moduleId, displayName, visibility }),
    );
    printLine(`${module.moduleId} is now called ${module.displayName}.`);
    return exitCodes.done;
  },
};
