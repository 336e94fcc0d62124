import { exampleOf, variables } from '#server/platform/config/config-variables.ts';

/** The text of `.env.example`. */
export function environmentExample(): string {
  const lines = Object.entries(variables).map(
    ([name, variable]) => `# ${variable.about}\n${name}=${exampleOf(variable)}\n`,
  );
  return lines.join('\n');
}

/** The text of docs/operate/configuration.md. */
export function configurationReference(): string {
  const rows = Object.entries(variables).map(([name, variable]) => {
    const example = exampleOf(variable);
    const shown = example === '' ? '' : `\`${example}\``;
    return `| \`${name}\` | ${variable.about} | ${shown} |`;
  });
  return [
    '# Configuration',
    '',
    'Every variable is optional. A command reads them from the environment when it starts and reports all errors together, including names',
    'that start with `LECTERN_` and are not in this list.',
    '',
    '| variable | meaning | default or example |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
