import type { z } from 'zod';

const count = new Intl.NumberFormat('en');
/** What the schema library says where a schema has no words of its own. */
const ofLibrary = /^(?:Too (?:big|small)|Invalid (?:input|option)):/;

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

/** Undefined for what is said rarely enough to be left in the words of the library. */
function plainWords(issue: z.core.$ZodIssue): string | undefined {
  if ('inclusive' in issue && issue.inclusive === false) return undefined;
  switch (issue.code) {
    case 'too_big':
      return boundInWords('more than', 'at most', issue.origin, issue.maximum);
    case 'too_small':
      if (issue.minimum === 1 && units[issue.origin] !== undefined) return 'is empty';
      return boundInWords('fewer than', 'at least', issue.origin, issue.minimum);
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is missing' : undefined;
    case 'invalid_value':
      return `has to be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    default:
      return undefined;
  }
}

const units: Record<string, string> = { string: 'characters', array: 'entries', set: 'entries', map: 'entries' };

function boundInWords(beyond: string, within: string, origin: string, bound: number | bigint): string | undefined {
  const unit = units[origin];
  if (unit !== undefined) return `has ${beyond} ${count.format(bound)} ${unit}`;
  return ['number', 'int', 'bigint'].includes(origin) ? `has to be ${within} ${count.format(bound)}` : undefined;
}
