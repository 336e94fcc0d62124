import { repositoryEndpoints } from '#contract/repositories.ts';
import { type Command, exitCodes, printLine } from './command.ts';

export const hostKeyForgetCommand: Command = {
  shape: {
    name: 'host-key forget',
    positionals: ['a host'],
    summary: "Forgets an SSH host's key after its owner has changed it.",
    details:
      "The key that the host shows next is stored instead. Compare it with the key that the host's owner publishes first.",
    options: {},
  },
  async run({ positionals, withCall }) {
    const host = positionals[0] ?? '';
    const { wasKnown } = await withCall({ isExclusive: false }, (call) =>
      call(repositoryEndpoints.forgetHostKey, { host }),
    );
    printLine(wasKnown ? `The key of ${host} is deleted.` : `No key of ${host} was stored.`);
    return exitCodes.done;
  },
};
