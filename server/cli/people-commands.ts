import { text as readText } from 'node:stream/consumers';
import { auditActions } from '#contract/audit.ts';
import * as limits from '#contract/limits.ts';
import { installationAuditEndpoints, operatorEndpoints, type Person } from '#contract/operator.ts';
import {
  type Command,
  calling,
  exitCodes,
  type Invocation,
  jsonOption,
  printJson,
  printLine,
  printNote,
} from './command.ts';
import { table } from './table.ts';
import { flag, text, UsageError, wholeNumber } from './usage.ts';

const whoseSlot = 'an email address or an id';

const peopleListCommand: Command = {
  shape: {
    name: 'people list',
    positionals: [],
    summary: 'Lists the accounts of this installation, newest first.',
    options: {
      query: { type: 'string', placeholder: 'TEXT', help: 'only accounts whose address or name contains this' },
      ...jsonOption,
    },
  },
  async run({ values, withCall }) {
    const people = await withCall({ isExclusive: false }, async (call) => {
      const found: Person[] = [];
      let cursor: string | undefined;
      do {
        const input = { query: text(values, 'query'), limit: limits.peopleListedMax, cursor };
        const page = await call(operatorEndpoints.listPeople, input);
        found.push(...page.people);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return found;
    });
    if (flag(values, 'json')) printJson(people);
    else if (people.length === 0) printNote('No account matches.');
    else printLine(table(['account', 'name', 'created', 'last seen', 'sessions', 'keys', ''], people.map(rowOf)));
    return exitCodes.done;
  },
};

function rowOf(person: Person): string[] {
  const { userId, email, displayName, createdAt, lastSeenAt, sessions, apiKeys } = person;
  const dayOf = (at: number | null) => (at === null ? 'never' : new Date(at).toISOString().slice(0, 10));
  return [
    email ?? userId,
    displayName,
    dayOf(createdAt),
    dayOf(lastSeenAt),
    String(sessions),
    String(apiKeys),
    marksOf(person).join(', '),
  ];
}

function marksOf({ isOperator, isEmailVerified, hasPassword, disabledAt }: Person): string[] {
  return [
    ...(isOperator ? ['operator'] : []),
    ...(disabledAt === null ? [] : ['disabled']),
    ...(isEmailVerified ? [] : [hasPassword ? 'address not verified' : 'invited']),
  ];
}

const newPersonOptions = {
  name: { type: 'string', placeholder: 'TEXT', help: "the person's name" },
  operator: { type: 'boolean', help: 'make the account an operator of this installation' },
  ...jsonOption,
} as const;

const peopleInviteCommand: Command = {
  shape: {
    name: 'people invite',
    positionals: ['an email address'],
    summary: 'Creates an account and emails its owner a link to choose a password; works even where sign-up is closed.',
    details: `Also prints the link, which works for ${limits.inviteLifetimeDays} days.`,
    options: newPersonOptions,
  },
  run: (invocation) => create(invocation, { isInvited: true }),
};

const peopleCreateCommand: Command = {
  shape: {
    name: 'people create',
    positionals: ['an email address'],
    summary: 'Creates an account and prints a link to choose its password; sends no email.',
    details: 'With --password-stdin the password is read from standard input, and no link is printed.',
    options: {
      ...newPersonOptions,
      'password-stdin': { type: 'boolean', help: 'read the password from standard input' },
    },
  },
  async run(invocation) {
    const isGiven = flag(invocation.values, 'password-stdin');
    const password = isGiven ? (await readText(process.stdin)).replace(/\r?\n$/, '') : undefined;
    return create(invocation, { password });
  },
};

async function create(
  { values, positionals, withCall }: Invocation,
  how: { isInvited?: boolean; password?: string | undefined },
): Promise<number> {
  const [email = ''] = positionals;
  const made = await withCall({ isExclusive: false }, (call) =>
    call(operatorEndpoints.createPerson, {
      ...{ email, ...how, displayName: text(values, 'name'), isOperator: flag(values, 'operator') },
    }),
  );
  if (flag(values, 'json')) printJson(made);
  else printLine(made.link?.url ?? `${made.person.email} can sign in.`);
  return exitCodes.done;
}

function changing(name: string, summary: string, change: { isDisabled?: boolean; isOperator?: boolean }, done: string) {
  return calling(operatorEndpoints.updatePerson, {
    shape: { name: `people ${name}`, positionals: [whoseSlot], summary, options: { ...jsonOption } },
    inputOf: ({ positionals: [whose = ''] }) => ({ whose, ...change }),
    json: ({ person }) => person,
    print: ({ person }) => printLine(`${person.email ?? person.userId} ${done}.`),
  });
}

const passwordLinkCommand = calling(operatorEndpoints.createPasswordLink, {
  shape: {
    name: 'people password-link',
    positionals: [whoseSlot],
    summary: "Prints a link to set an account's password; earlier links stop working.",
    options: { mail: { type: 'boolean', help: 'also send the link to the address' }, ...jsonOption },
  },
  inputOf: ({ values, positionals: [whose = ''] }) => ({ whose, isMailed: flag(values, 'mail') }),
  print: ({ url }) => printLine(url),
});

const signOutCommand = calling(operatorEndpoints.endSessionsOf, {
  shape: {
    name: 'people sign-out',
    positionals: [whoseSlot],
    summary: 'Signs an account out in every browser.',
    options: {
      agents: { type: 'boolean', help: 'also revoke its API keys and connected applications' },
      ...jsonOption,
    },
  },
  inputOf: ({ values, positionals: [whose = ''] }) => ({ whose, endsAgents: flag(values, 'agents') }),
  json: ({ person }) => person,
  print: ({ person }) => printLine(`${person.email ?? person.userId} is signed out.`),
});

const deleteCommand = calling(operatorEndpoints.deletePerson, {
  shape: {
    name: 'people delete',
    positionals: [whoseSlot],
    summary: 'Permanently deletes an account with all its data.',
    options: { yes: { type: 'boolean', help: "required, because this can't be undone" } },
  },
  inputOf({ values, positionals: [whose = ''] }) {
    if (!flag(values, 'yes')) throw new UsageError('a deleted account cannot be restored; use --yes to delete it');
    return { whose };
  },
  print: (_deleted, { positionals: [whose] }) => printLine(`${whose} is deleted.`),
});

const auditCommand = calling(installationAuditEndpoints.listInstallationAudit, {
  shape: {
    name: 'audit',
    positionals: [],
    summary: 'Prints the audit log of this installation, newest first.',
    options: {
      action: {
        type: 'string',
        placeholder: 'NAME',
        help: 'one action, such as key.revoke, or a noun, such as account',
      },
      who: { type: 'string', placeholder: 'WHOM', help: 'only what this account did: an email address or an id' },
      limit: { type: 'string', placeholder: 'N', help: `how many (default ${limits.auditEntriesDefault})` },
      ...jsonOption,
    },
  },
  inputOf: ({ values }) => ({
    action: text(values, 'action'),
    who: text(values, 'who'),
    limit: wholeNumber(values, 'limit', { min: 1, max: limits.auditEntriesMax }),
  }),
  json: ({ entries }) => entries,
  print({ entries }) {
    if (entries.length === 0) return printNote('No entries match.');
    const rows = entries.map(({ at, actor, action, entityName, team }) => [
      new Date(at).toISOString(),
      actor === null ? 'system or deleted' : (actor.email ?? actor.userId),
      (auditActions as Record<string, string>)[action] ?? action,
      entityName ?? '',
      team === null ? '' : (team.name ?? team.teamId),
    ]);
    printLine(table(['at', 'who', 'what', '', 'team'], rows));
  },
});

/** Commands for accounts and the audit log. */
export const peopleCommands: Command[] = [
  peopleListCommand,
  peopleInviteCommand,
  peopleCreateCommand,
  changing(
    'disable',
    'Signs an account out and refuses it until it is enabled; deletes nothing.',
    { isDisabled: true },
    'is disabled',
  ),
  changing('enable', 'Enables a disabled account.', { isDisabled: false }, 'can sign in again'),
  changing('make-operator', 'Grants an account the operator role.', { isOperator: true }, 'is an operator'),
  changing('unmake-operator', "Removes an account's operator role.", { isOperator: false }, 'is no longer an operator'),
  passwordLinkCommand,
  signOutCommand,
  deleteCommand,
  auditCommand,
];
