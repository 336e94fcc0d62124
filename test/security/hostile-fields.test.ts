import { expect, test } from 'vitest';
import { z } from 'zod';
import * as limits from '#contract/limits.ts';
import { endpointGroups } from '#contract/reference.ts';
import { readJson } from '#server/features/call.ts';

/** Runs that make an ambiguous regular expression try every way to divide them, each with an end that doesn't match. */
const texts = [
  '\u200d',
  ' ',
  '\n',
  'a',
  '0',
  '.',
  '-',
  '/',
  '@',
  'a@',
  'a.',
  'a-',
  '"',
  '%',
  '\ufe0f',
  '\u3164',
  '<',
  '[',
]
  .map((part) => part.repeat(60_000 / part.length))
  .flatMap((run) => [run, `${run}!`, `a${run}a`, `葛${run}葛`, `https://${run}!`]);

/** Returns a value of the schema's shape with the text in place of everything else. */
function filled(schema: z.core.$ZodType, text: string): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).map(([key, field]) => [key, filled(field as z.ZodType, text)]),
    );
  if (schema instanceof z.ZodArray) return [filled(schema.element, text)];
  if (schema instanceof z.ZodRecord) return { a: filled(schema.valueType, text) };
  if (schema instanceof z.ZodPipe) return filled(schema.in, text);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return filled(schema.unwrap() as z.ZodType, text);
  return text;
}

const inputs = endpointGroups.flatMap(({ endpoints }) => Object.values(endpoints)).map(({ input }) => input);

// The time limit is the bound: a check that takes quadratic time on one of these texts takes minutes.
test('long hostile texts in any field of a request are checked in linear time', () => {
  const accepted = texts.map((text) => inputs.filter((input) => input.safeParse(filled(input, text)).success).length);
  // Those without fields accept anything.
  expect(Math.max(...accepted)).toBeLessThan(inputs.length / 2);
});

test('a body with more values than any call takes is refused before it is parsed', () => {
  const many = limits.valuesPerRequestMax;
  const names = Array.from({ length: many }, (_, at) => `"name${at}":1`).join();
  // None of these is complete, so parsing one would fail with another reason.
  for (const text of ['['.repeat(many + 1), '{"a":'.repeat(many + 1), `[${'1,'.repeat(many)}`, `[{${names},`]) {
    expect(() => readJson(text)).toThrow('it has too many values');
    expect(() => readJson(text.slice(0, many / 2))).toThrow('the body is not JSON');
  }
  const text = '[{,"\\'.repeat(many);
  expect(readJson(JSON.stringify({ [text]: [text] }))).toEqual({ [text]: [text] });
});
