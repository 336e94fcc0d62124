import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readOwnQuestions } from '../question.ts';
import { readSets } from './sets.ts';

const foldOf = new Map(readSets([]).map(({ name, fold }) => [name, fold]));
const all = readOwnQuestions(fileURLToPath(new URL('.', import.meta.url)), foldOf);
const asked = all.filter(({ queries }) => queries.asked !== undefined);
const questions = all.filter(({ queries }) => queries.nothing === undefined && queries.asked === undefined);
const unanswerable = all.filter(({ queries }) => queries.nothing !== undefined);

test('there are a thousand questions over forty sets and more, each with an id of its own and in both forms', () => {
  expect(questions.length).toBeGreaterThanOrEqual(1_000);
  expect(new Set(questions.map(({ corpus }) => corpus)).size).toBeGreaterThanOrEqual(40);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  const incomplete = questions.filter(({ queries }) => !queries.agent?.trim() || !queries.cold?.trim());
  expect(incomplete).toEqual([]);
});

test('each question belongs to a fold by its set, and names pages and answers that can be distinguished', () => {
  for (const { id, fold, gold, answer_any: answers } of [...questions, ...asked]) {
    expect({ id, fold: fold >= 1 && fold <= 5 }).toEqual({ id, fold: true });
    expect({ id, gold: gold.length > 0, answers: answers.length > 0 }).toEqual({ id, gold: true, answers: true });
    for (const answer of answers) expect({ id, length: answer.length >= 10 }).toEqual({ id, length: true });
  }
});

test('a hundred more are answered by no set, in all folds; some are asked as whole problems too', () => {
  expect(unanswerable.length).toBeGreaterThanOrEqual(100);
  expect(new Set(unanswerable.map(({ fold }) => fold))).toEqual(new Set([1, 2, 3, 4, 5]));
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const problems = questions.flatMap(({ queries }) => queries.problem ?? []);
  expect(problems.length).toBeGreaterThanOrEqual(400);
  for (const problem of problems) expect(problem.split(' ').length).toBeGreaterThanOrEqual(60);
});

test('a third of them share no name with their passage', () => {
  expect(questions.filter(({ noNames }) => noNames).length * 3).toBeGreaterThanOrEqual(questions.length);
});

test('the needs of public threads are of nearly all sets, each with the thread it comes from', () => {
  expect(new Set(asked.map(({ corpus }) => corpus)).size).toBeGreaterThanOrEqual(50);
  expect(asked.filter(({ source }) => source?.startsWith('https://') !== true)).toEqual([]);
});
