import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { hasAnswer, normalForm } from './answer-match.ts';
import { readQuestions } from './question.ts';

const shared = resolve(process.env.LECTERN_SHARED ?? '../shared', 'eval');
if (!existsSync(shared))
  console.warn('no shared evaluation data: its comparison of answers is not checked against ours');

test('an answer matches despite Markdown marks, quotes, links and line breaks', () => {
  const text = 'Call **[`asyncio.run()`](https://example.org/a_(b) "t")**\nonce — it’s   enough.';
  expect(hasAnswer(text, ["asyncio.run() once - it's enough"])).toBe(true);
  expect(hasAnswer(text, ['asyncio.run() twice'])).toBe(false);
});

test.skipIf(!existsSync(shared))('answers are normalized exactly as in the shared evaluation', async () => {
  const theirs = (await import(pathToFileURL(`${shared}/lib.mjs`).href)) as { normAnswer(text: string): string };
  const samples = readQuestions(`${shared}/dev.jsonl`).flatMap((question) => [
    ...Object.values(question.queries),
    ...question.answer_any,
  ]);
  samples.push('![a [b] c](x(y)z "t") ‘q’ “r” – — − … ¶\u200b\u00ad `*_\\|#~[]` &lt;b&gt; &amp;amp;\n\tEND');
  for (const sample of samples) expect(normalForm(sample)).toBe(theirs.normAnswer(sample));
});
