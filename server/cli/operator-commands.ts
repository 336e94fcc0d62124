import { confEndpoints } from '#contract/conf.ts';
import { creditEndpoints } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import { type Incident, incidentLimits, incidentSeverities, statusEndpoints } from '#contract/status.ts';
import { type StatusPart, statusPartNames } from '#contract/status-parts.ts';
import { calling, jsonOption, printLine, printNote } from './command.ts';
import { countOf, table } from './table.ts';
import { list, type OptionValues, text, UsageError } from './usage.ts';

const workingStates = ['investigating', 'identified', 'monitoring'] as const;

const what = {
  severity: { type: 'string', placeholder: 'WORD', help: `${incidentSeverities.join(', ')} (default major)` },
  part: {
    type: 'string',
    placeholder: 'NAME',
    multiple: true,
    help: `affected parts: ${statusPartNames.join(', ')}`,
  },
  from: { type: 'string', placeholder: 'TIME', help: 'maintenance: its start, such as 2026-03-01T22:00Z' },
  until: { type: 'string', placeholder: 'TIME', help: 'maintenance: when it ends' },
  state: { type: 'string', placeholder: 'WORD', help: workingStates.join(', ') },
} as const;

export const incidentOpenCommand = calling(statusEndpoints.openIncident, {
  shape: {
    name: 'incident open',
    positionals: ['a title', 'what is known'],
    summary: 'Reports an incident on /status, or maintenance with --until.',
    details: 'The description may be Markdown. Prints the id.',
    options: { ...what, ...jsonOption },
  },
  inputOf({ values, positionals: [title = '', body = ''] }) {
    requireText('the title', title, incidentLimits.titleCharactersMax);
    requireText('what is known', body, incidentLimits.bodyCharactersMax);
    return { title, body, ...changesOf(values) };
  },
  json: ({ incident }) => incident,
  print: ({ incident }) => printLine(incident.id),
});

export const incidentUpdateCommand = calling(statusEndpoints.updateIncident, {
  shape: {
    name: 'incident update',
    positionals: ['an id'],
    summary: 'Adds an update to an incident, or corrects its texts.',
    options: {
      text: { type: 'string', placeholder: 'TEXT', help: 'current information; Markdown' },
      title: { type: 'string', placeholder: 'TEXT', help: 'a new title' },
      ...what,
      ...jsonOption,
    },
  },
  inputOf: ({ values, positionals: [incidentId = ''] }) => ({
    ...{ incidentId, body: text(values, 'text'), title: text(values, 'title') },
    ...changesOf(values),
  }),
  json: ({ incident }) => incident,
  print: ({ incident }) => printLine(`${incident.title}: ${incident.state}.`),
});

export const incidentResolveCommand = calling(statusEndpoints.resolveIncident, {
  shape: {
    name: 'incident resolve',
    positionals: ['an id'],
    summary: 'Resolves an incident, or ends maintenance.',
    options: { text: { type: 'string', placeholder: 'TEXT', help: 'the last update; Markdown' }, ...jsonOption },
  },
  inputOf: ({ values, positionals: [incidentId = ''] }) => ({ incidentId, body: text(values, 'text') }),
  json: ({ incident }) => incident,
  print: ({ incident }) => printLine(`${incident.title}: resolved.`),
});

export const incidentListCommand = calling(statusEndpoints.listIncidents, {
  shape: {
    name: 'incident list',
    positionals: [],
    summary: 'Lists incidents and maintenance of the last 90 days.',
    options: { ...jsonOption },
  },
  inputOf: () => ({}),
  json: ({ incidents }) => incidents,
  print({ incidents }) {
    if (incidents.length === 0) printLine('No incidents.');
    else printLine(table(['id', 'began', 'state', 'severity', 'title'], incidents.map(rowOf)));
  },
});

function rowOf({ id, startsAt, state, severity, title }: Incident): string[] {
  return [id, new Date(startsAt).toISOString().slice(0, 16), state, severity, title];
}

function changesOf(values: OptionValues) {
  const parts = list(values, 'part').map((name) => oneOf('part', name, statusPartNames));
  return {
    severity: choice(values, 'severity', incidentSeverities),
    state: choice(values, 'state', workingStates),
    ...(parts.length === 0 ? {} : { parts: parts satisfies StatusPart[] }),
    startsAt: time(values, 'from'),
    endsAt: time(values, 'until'),
  };
}

function choice<Word extends string>(values: OptionValues, name: string, words: readonly Word[]): Word | undefined {
  const given = text(values, name);
  return given === undefined ? undefined : oneOf(name, given, words);
}

function oneOf<Word extends string>(name: string, given: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === given);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}, not "${given}"`);
  return found;
}

/** Epoch milliseconds. Requires a time zone, because without one the time would depend on the machine. */
function time(values: OptionValues, name: string): number | undefined {
  const given = text(values, name);
  if (given === undefined) return undefined;
  const at = Date.parse(given);
  if (Number.isNaN(at) || !/\dT.*(Z|[+-]\d\d:?\d\d)$/.test(given)) {
    throw new UsageError(`--${name} takes a time with its zone, such as 2026-03-01T22:00Z, not "${given}"`);
  }
  return at;
}

function requireText(name: string, given: string, charactersMax: number): void {
  const { length } = given.trim();
  if (length === 0 || length > charactersMax) throw new UsageError(`${name} has 1 to ${charactersMax} characters`);
}

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
