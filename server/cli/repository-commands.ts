import { repositoryEndpoints } from '#contract/repositories.ts';
import { type Command, exitCodes, printLine } from './command.ts';

export const hostKeyForgetCommand: Command = {
  shape: {
    name: 'host-key forget',
    positionals: ['a host'],
    summary: 'Forgets the key by which a host of SSH is known, when its owner has changed it.',
    details: 'The key that the host shows next is kept in its place. Compare it with what its owner says before.',
    options: {},
  },
  async run({ positionals, withCall }) {
    const host = positionals[0] ?? '';
    const { wasKnown } = await withCall({ isExclusive: false }, (call) =>
      call(repositoryEndpoints.forgetHostKey, { host }),
    );
    printLine(wasKnown ? `The key of ${host} is forgotten.` : `No key of ${host} was kept.`);
    return exitCodes.done;
  },
};
