import type { z } from 'zod';

const count = new Intl.NumberFormat('en');
/** What the schema library says where a schema has no words of its own. */
const ofLibrary = /^(?:Too (?:big|small):|Invalid )/;

/** The first thing that is wrong with an input, in words for people, with the field that it is about. */
export function reasonOf({ issues: [first] }: z.ZodError): string {
  if (first === undefined) return 'unreadable';
  const issue = innermostOf(first);
  const where = issue.path.join('.');
  const plain = ofLibrary.test(issue.message) ? plainWords(issue) : undefined;
  if (plain !== undefined) return `${where === '' ? 'the input' : where} ${plain}`;
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

/** Of an input that may have several forms, what is wrong in the form that it seems to be meant in. */
function innermostOf(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  // In a form that is not meant, the whole is wrong and nothing in it.
  const inner = issue.errors.flatMap(([first]) => first ?? []).find(({ path }) => path.length > 0);
  return inner === undefined ? issue : innermostOf({ ...inner, path: [...issue.path, ...inner.path] });
}

/** Undefined where a schema can only be wrong in ways that have words of their own. */
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
      return `must be ${formats[issue.format] ?? 'written otherwise'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return 'has none of the forms that it may have';
    default:
      return undefined;
  }
}

/** Types in the words of people. */
const kinds: Record<string, string> = {
  ...{ string: 'text', number: 'a number', int: 'a whole number', bigint: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object', null: 'null', date: 'a date' },
};

/** Forms of texts in the words of people. */
const formats: Record<string, string> = {
  ...{ email: 'an e-mail address', url: 'a whole address, such as https://example.com/docs', uuid: 'a UUID' },
  ...{ datetime: 'a time, such as 2026-01-31T12:00:00Z', date: 'a date, such as 2026-01-31', time: 'a time of day' },
};

const units: Record<string, string> = { string: 'characters', array: 'entries', set: 'entries', map: 'entries' };

function boundInWords(within: string, beyond: string, origin: string, bound: number | bigint): string | undefined {
  const unit = units[origin];
  if (unit !== undefined) return `has ${beyond} ${count.format(bound)} ${unit}`;
  return ['number', 'int', 'bigint'].includes(origin) ? `must be ${within} ${count.format(bound)}` : undefined;
}
