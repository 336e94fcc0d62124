import { accountEndpoints } from '#contract/accounts.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { limits } from '#contract/limits.ts';
import { type Command, exitCodes, printLine } from './command.ts';
import { UsageError } from './usage.ts';

export const keyCreateCommand: Command = {
  shape: {
    name: 'key create',
    positionals: ['a name'],
    summary: 'Creates an API key for an agent and prints only the key.',
    options: {},
  },
  async run({ positionals, withCall }) {
    const name = (positionals[0] ?? '').trim();
    if (name === '' || name.length > limits.keyNameCharactersMax) {
      throw new UsageError(`a key's name has 1 to ${limits.keyNameCharactersMax} characters`);
    }
    const { secret } = await withCall({ isExclusive: false }, (call) => call(keyEndpoints.createKey, { name }));
    printLine(secret);
    return exitCodes.done;
  },
};

export const linkCommand: Command = {
  shape: {
    name: 'link',
    positionals: [],
    summary: 'Prints a new sign-in link for the browser; it works once.',
    options: {},
  },
  async run({ withCall }) {
    const { url } = await withCall({ isExclusive: false }, (call) => call(accountEndpoints.createSignInLink, {}));
    printLine(url);
    return exitCodes.done;
  },
};
