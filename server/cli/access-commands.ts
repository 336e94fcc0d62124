import { accountEndpoints } from '#contract/accounts.ts';
import { type KeyRight, keyRights } from '#contract/endpoint.ts';
import { keyEndpoints } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { repositoryEndpoints } from '#contract/repositories.ts';
import { signOnEndpoints } from '#contract/sign-on.ts';
import { calling, printLine } from './command.ts';
import { flag, list, UsageError } from './usage.ts';

export const keyCreateCommand = calling(keyEndpoints.createKey, {
  shape: {
    name: 'key create',
    positionals: ['a name'],
    summary: 'Creates an API key for an agent and prints only the key.',
    details: 'Works on a data folder. For a server elsewhere, create the key on its page /keys.',
    options: {
      right: {
        type: 'string',
        placeholder: 'NAME',
        multiple: true,
        help: 'what the key can do besides searching: index (start and refresh runs) or manage (remove sources); repeatable',
      },
      'deep-research': {
        type: 'boolean',
        help: 'names the tools `search` and `fetch`, for deep research clients that look for these names',
      },
    },
  },
  inputOf({ values, positionals }) {
    const rights = list(values, 'right').map(rightNamed);
    const name = (positionals[0] ?? '').trim();
    if (name === '' || name.length > limits.keyNameCharactersMax) {
      throw new UsageError(`a key's name has 1 to ${limits.keyNameCharactersMax} characters`);
    }
    return { name, rights, hasDeepResearchTools: flag(values, 'deep-research') };
  },
  print: ({ secret }) => printLine(secret),
});

function rightNamed(name: string): KeyRight {
  const right = keyRights.find((known) => known === name);
  if (right === undefined) throw new UsageError(`--right takes index or manage, not "${name}"`);
  return right;
}

export const linkCommand = calling(accountEndpoints.createSignInLink, {
  shape: {
    name: 'link',
    positionals: [],
    summary: 'Prints a new sign-in link for the browser; it works once.',
    options: {},
  },
  inputOf: () => ({}),
  print: ({ url }) => printLine(url),
});

export const hostKeyForgetCommand = calling(repositoryEndpoints.forgetHostKey, {
  shape: {
    name: 'host-key forget',
    positionals: ['a host'],
    summary: "Forgets an SSH host's key after its owner has changed it.",
    details:
      "The key that the host shows next is stored instead. Compare it with the key that the host's owner publishes first.",
    options: {},
  },
  inputOf: ({ positionals: [host = ''] }) => ({ host }),
  print: ({ wasKnown }, { positionals: [host] }) =>
    printLine(wasKnown ? `The key of ${host} is deleted.` : `No key of ${host} was stored.`),
});

export const domainWithdrawCommand = calling(signOnEndpoints.withdrawDomain, {
  shape: {
    name: 'domain withdraw',
    positionals: ['a domain'],
    summary: "Stops vouching for a team's domain.",
    details: "If no TXT record proves the domain, no one signs in with the team's provider until it is verified again.",
    options: {},
  },
  inputOf: ({ positionals: [domain = ''] }) => ({ domain }),
  print: ({ wasVouchedFor }, { positionals: [domain] }) =>
    printLine(wasVouchedFor ? `${domain} is no longer vouched for.` : `No operator vouches for ${domain}.`),
});
