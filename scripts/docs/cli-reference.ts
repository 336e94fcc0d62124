import { commands, workshopCommands } from '../../server/cli/main.ts';
import { type CommandShape, everyCommand, type OptionHelp, slotOf } from '../../server/cli/usage.ts';
import { inCell } from './error-index.ts';
import type { DocsSource } from './sources.ts';

/** Returns the command line reference, generated from the table that the help is printed from. */
export function cliReference(): DocsSource {
  const parts = commands.map(({ shape }) => commandPart(shape));
  const workshop = workshopCommands.map(([name, summary]) => `| \`./lectern ${name}\` | ${inCell(summary)} |`);
  return {
    path: '/docs/reference/cli',
    section: 'reference',
    sourcePath: 'server/cli/main.ts',
    isGenerated: true,
    markdown: `# Command line

In a clone, run every command as \`./lectern\` in the project's folder; with the package installed, as \`lectern\` or \`npx lectern\`. If a
server is running on the data folder, commands send their work to it; otherwise they open the folder themselves. \`--help\` after a command
shows the same text as this page. The exit code is 0 for success, 1 for a failure, 2 for invalid arguments and 130 if you interrupt it.

${optionTable('options of every command', everyCommand)}

${parts.join('\n\n')}

## For contributors

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
    return `| \`${typed}\` | ${inCell(help)}${multiple ? '; repeatable' : ''} |`;
  });
  return [`| ${title} | what it does |`, '|---|---|', ...rows].join('\n');
}
