import { confEndpoints } from '#contract/conf.ts';
import { calling, jsonOption, printLine, printNote } from './command.ts';
import { table } from './table.ts';

export const confListCommand = calling(confEndpoints.listConf, {
  shape: {
    name: 'conf list',
    positionals: [],
    summary: 'Lists confirmed sign-ups for the conference.',
    options: { ...jsonOption },
  },
  inputOf: () => ({}),
  json: ({ signUps }) => signUps,
  print({ signUps }) {
    if (signUps.length === 0) return printNote('No sign-ups yet.');
    const rows = signUps.map(({ email, confirmedAt }) => [email, new Date(confirmedAt).toISOString()]);
    printLine(table(['address', 'confirmed'], rows));
  },
});
