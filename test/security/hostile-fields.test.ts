import { expect, test } from 'vitest';
import { z } from 'zod';
import * as limits from '#contract/limits.ts';
import { endpointGroups } from '#contract/reference.ts';
import { parseInput } from '#server/features/call.ts';

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

test('a request with more values than any call takes is refused before its items are checked', () => {
  const half = Array.from({ length: limits.valuesPerRequestMax / 2 }, () => 1);
  const names = Object.fromEntries(half.map((_, at) => [`name${at}`, 1]));
  for (const tooMany of [{ a: [...half, ...half] }, { a: { b: half, c: [[half]] } }, { a: half, ...names }]) {
    for (const input of inputs) expect(() => parseInput(input, tooMany)).toThrow('it has too many values');
  }
  const seeds = z.object({ seeds: z.array(z.string()).max(200) });
  expect(() => parseInput(seeds, { seeds: half.map(String) })).toThrow('seeds has more than');
});
