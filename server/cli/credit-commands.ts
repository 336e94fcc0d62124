import { creditEndpoints } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import { calling, jsonOption, printLine } from './command.ts';
import { countOf } from './table.ts';
import { UsageError } from './usage.ts';

export const creditGrantCommand = adjusting('grant', 1, 'Grants credits to a user or a team.');
export const creditTakeCommand = adjusting('take', -1, 'Takes credits from a user or a team, at most their balance.');

function adjusting(name: 'grant' | 'take', sign: 1 | -1, summary: string) {
  return calling(creditEndpoints.adjustCredits, {
    shape: {
      name: `credits ${name}`,
      positionals: ['an email address or an id', 'a number'],
      summary,
      details: 'Prints the balance.',
      options: { ...jsonOption },
    },
    inputOf({ positionals: [whose = '', count = ''] }) {
      const amount = Number(count);
      if (!Number.isInteger(amount) || amount < 1 || amount > limits.creditsAdjustedMax) {
        throw new UsageError(`the number of credits must be between 1 and ${limits.creditsAdjustedMax}`);
      }
      return { whose, amount: sign * amount };
    },
    print: ({ payer, purchasedCredits, amount }) =>
      printLine(`${payer} has ${countOf(purchasedCredits, 'credit')} (${amount >= 0 ? '+' : ''}${amount}).`),
  });
}
