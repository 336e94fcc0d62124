import { creditEndpoints } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import { type Command, exitCodes, jsonOption, printJson, printLine } from './command.ts';
import { countOf } from './table.ts';
import { flag, UsageError } from './usage.ts';

export const creditGrantCommand = adjusting('grant', 1, 'Grants credits to a user or a team.');
export const creditTakeCommand = adjusting('take', -1, 'Takes credits from a user or a team, at most their balance.');

function adjusting(name: 'grant' | 'take', sign: 1 | -1, summary: string): Command {
  return {
    shape: {
      name: `credits ${name}`,
      positionals: ['an email address or an id', 'a number'],
      summary,
      details: 'Prints the balance.',
      options: { ...jsonOption },
    },
    async run({ values, positionals, withCall }) {
      const [whose = '', count = ''] = positionals;
      const amount = Number(count);
      if (!Number.isInteger(amount) || amount < 1 || amount > limits.creditsAdjustedMax) {
        throw new UsageError(`the number of credits must be between 1 and ${limits.creditsAdjustedMax}`);
      }
      const adjusted = await withCall({ isExclusive: false }, (call) =>
        call(creditEndpoints.adjustCredits, { whose, amount: sign * amount }),
      );
      if (flag(values, 'json')) printJson(adjusted);
      else
        printLine(
          `${adjusted.payer} has ${countOf(adjusted.purchasedCredits, 'credit')} (${adjusted.amount >= 0 ? '+' : ''}${adjusted.amount}).`,
        );
      return exitCodes.done;
    },
  };
}
