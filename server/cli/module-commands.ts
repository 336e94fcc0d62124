import { libraryEndpoints } from '#contract/library.ts';
import { type Command, exitCodes, jsonOption, printJson, printLine, printNote } from './command.ts';
import { table } from './table.ts';
import { flag } from './usage.ts';

export const modulesCommand: Command = {
  shape: { name: 'modules', positionals: [], summary: 'Lists what is indexed.', options: { ...jsonOption } },
  async run({ values, withCall }) {
    const { modules } = await withCall({ isExclusive: false }, (call) => call(libraryEndpoints.listModules, {}));
    if (flag(values, 'json')) {
      printJson(modules);
    } else if (modules.length === 0) {
      printNote('Nothing is indexed yet. Begin with: lectern index https://…');
    } else {
      const rows = modules.map((module) => [
        module.moduleId,
        module.visibility,
        String(module.pageCount),
        String(module.snippetCount),
        module.lastUpdated === null
          ? 'never'
          : new Date(module.lastUpdated).toISOString().slice(0, 16).replace('T', ' '),
        module.url,
      ]);
      printLine(table(['module', 'for', 'pages', 'snippets', 'updated (UTC)', 'source'], rows, new Set([2, 3])));
    }
    return exitCodes.done;
  },
};

export const removeCommand: Command = {
  shape: {
    name: 'remove',
    positionals: ['a module'],
    summary: 'Removes a module; what it served is no longer found.',
    options: { private: { type: 'boolean', help: 'the private module of this id, where a public one has it too' } },
  },
  async run({ values, positionals, withCall }) {
    const moduleId = positionals[0] ?? '';
    const visibility = flag(values, 'private') ? ('private' as const) : undefined;
    await withCall({ isExclusive: true }, (call) => call(libraryEndpoints.removeModule, { moduleId, visibility }));
    printLine(`Removed ${moduleId}.`);
    return exitCodes.done;
  },
};
