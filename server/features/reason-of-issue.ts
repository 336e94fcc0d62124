import type { z } from 'zod';

const count = new Intl.NumberFormat('en');
/** Matches the schema library's default messages. */
const ofLibrary = /^(?:Too (?:big|small):|Invalid )/;

/** Returns the first fault of an input in plain words, with its field. */
export function reasonOf({ issues: [first] }: z.ZodError): string {
  if (first === undefined) return 'unreadable';
  const issue = innermostOf(first);
  const where = issue.path.join('.');
  const plain = ofLibrary.test(issue.message) ? plainWords(issue) : undefined;
  if (plain !== undefined) return `${where === '' ? 'the input' : where} ${plain}`;
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

/** Returns, for an input with several possible forms, the fault within the form that was probably meant. */
function innermostOf(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  // For other forms, the input as a whole is invalid rather than a part of it.
  const inner = issue.errors.flatMap(([first]) => first ?? []).find(({ path }) => path.length > 0);
  return inner === undefined ? issue : innermostOf({ ...inner, path: [...issue.path, ...inner.path] });
}

/** Returns undefined if the schema's own message covers the fault. */
function plainWords(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'too_big':
      return boundInWords(
        issue.inclusive === false ? 'less than' : 'at most',
        'more than',
        issue.origin,
        issue.maximum,
      );
    case 'too_small':
      if (issue.minimum === 1 && units[issue.origin] !== undefined) return 'is empty';
      return boundInWords(
        issue.inclusive === false ? 'more than' : 'at least',
        'fewer than',
        issue.origin,
        issue.minimum,
      );
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in another format'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return 'matches none of the allowed forms';
    default:
      return undefined;
  }
}

/** Type names for users. */
const kinds: Record<string, string> = {
  ...{ string: 'text', number: 'a number', int: 'a whole number', bigint: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object', null: 'null', date: 'a date' },
};

/** Text format names for users. */
const formats: Record<string, string> = {
  ...{ email: 'an email address', url: 'a full address, such as https://example.com/docs', uuid: 'a UUID' },
  ...{ datetime: 'a time, such as 2026-01-31T12:00:00Z', date: 'a date, such as 2026-01-31', time: 'a time of day' },
};

const units: Record<string, string> = { string: 'characters', array: 'entries', set: 'entries', map: 'entries' };

function boundInWords(within: string, beyond: string, origin: string, bound: number | bigint): string | undefined {
  const unit = units[origin];
  if (unit !== undefined) return `has ${beyond} ${count.format(bound)} ${unit}`;
  return ['number', 'int', 'bigint'].includes(origin) ? `must be ${within} ${count.format(bound)}` : undefined;
}
