import { signOnEndpoints } from '#contract/sign-on.ts';
import { type Command, exitCodes, printLine } from './command.ts';

export const domainWithdrawCommand: Command = {
  shape: {
    name: 'domain withdraw',
    positionals: ['a domain'],
    summary: "Stops vouching for a team's domain.",
    details: "If no TXT record proves the domain, no one signs in with the team's provider until it is verified again.",
    options: {},
  },
  async run({ positionals, withCall }) {
    const domain = positionals[0] ?? '';
    const { wasVouchedFor } = await withCall({ isExclusive: false }, (call) =>
      call(signOnEndpoints.withdrawDomain, { domain }),
    );
    printLine(wasVouchedFor ? `${domain} is no longer vouched for.` : `No operator vouches for ${domain}.`);
    return exitCodes.done;
  },
};
