import { commands, workshopCommands } from '../../server/cli/main.ts';
import { type CommandShape, everyCommand, type OptionHelp, slotOf } from '../../server/cli/usage.ts';
import { inCell } from './error-index.ts';
import type { DocsSource } from './sources.ts';

/** The reference of the command line, from the table that its help is printed from. */
export function cliReference(): DocsSource {
  const parts = commands.map(({ shape }) => commandPart(shape));
  const workshop = workshopCommands.map(([name, summary]) => `| \`./lectern ${name}\` | ${inCell(summary)} |`);
  return {
    path: '/docs/reference/cli',
    section: 'reference',
    sourcePath: 'server/cli/main.ts',
    isGenerated: true,
    markdown: `# Command line

Every command is typed in the folder of the project as \`./lectern\`, or as \`npx lectern\` where the package is used. A command that
needs the data folder asks the server that runs on it, and works by itself when none does. \`--help\` behind a command shows what
stands here. The exit code is 0 when it is done, 1 when it failed, 2 when it was not understood and 130 when it was interrupted.

${optionTable('option of every command', everyCommand)}

${parts.join('\n\n')}

## For people who change the product

These run in a clone of the project.

| command | what it does |
|---|---|
${workshop.join('\n')}
`,
  };
}

function commandPart({ name, positionals, summary, details, options }: CommandShape): string {
  const usage = [
    './lectern',
    name,
    ...positionals.map(slotOf),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
  ];
  const lines = [
    `## ${name}`,
    `\`\`\`sh\n${usage.join(' ')}\n\`\`\``,
    summary,
    ...(details === undefined ? [] : [details]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable('option', options)]),
  ];
  return lines.join('\n\n');
}

function optionTable(title: string, options: Record<string, OptionHelp>): string {
  const rows = Object.entries(options).map(([name, { placeholder, multiple, help }]) => {
    const typed = `--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`;
    return `| \`${typed}\` | ${inCell(help)}${multiple ? '; may be given several times' : ''} |`;
  });
  return [`| ${title} | what it does |`, '|---|---|', ...rows].join('\n');
}
