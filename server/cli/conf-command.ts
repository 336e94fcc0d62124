import { confEndpoints } from '#contract/conf.ts';
import { type Command, exitCodes, jsonOption, printJson, printLine, printNote } from './command.ts';
import { table } from './table.ts';
import { flag } from './usage.ts';

export const confListCommand: Command = {
  shape: {
    name: 'conf list',
    positionals: [],
    summary: 'Lists confirmed sign-ups for the conference.',
    options: { ...jsonOption },
  },
  async run({ values, withCall }) {
    const { signUps } = await withCall({ isExclusive: false }, (call) => call(confEndpoints.listConf, {}));
    if (flag(values, 'json')) printJson(signUps);
    else if (signUps.length === 0) printNote('No sign-ups yet.');
    else {
      const rows = signUps.map(({ email, confirmedAt }) => [email, new Date(confirmedAt).toISOString()]);
      printLine(table(['address', 'confirmed'], rows));
    }
    return exitCodes.done;
  },
};
