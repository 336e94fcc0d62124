import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hasAnswer } from './answer-match.ts';
import { readQuestions } from './question.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const questions = readQuestions(`${root}eval/own/questions.jsonl`);

test.each(questions.map((question) => [question.id, question] as const))(
  'the documentation page of %s contains its answer',
  (_id, question) => {
    const pages = question.gold.map((page) => readFileSync(`${root}docs/${page}`, 'utf8'));
    expect(pages.some((page) => hasAnswer(page, question.answer_any))).toBe(true);
  },
);

test('question ids are unique', () => {
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
});
