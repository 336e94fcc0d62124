import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hasAnswer } from './answer-match.ts';
import { readQuestions } from './question.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const questions = readQuestions(`${root}eval/own/questions.jsonl`);

test.each(questions.map((question) => [question.id, question] as const))(
  '%s is answered by its page',
  (_id, question) => {
    const pages = question.gold.map((page) => readFileSync(`${root}docs/${page}`, 'utf8'));
    expect(pages.some((page) => hasAnswer(page, question.answer_any))).toBe(true);
  },
);

test('every question has an id of its own', () => {
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
});
