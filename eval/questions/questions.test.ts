import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readOwnQuestions } from '../question.ts';
import { readSets } from './sets.ts';

const foldOf = new Map(readSets([]).map(({ name, fold }) => [name, fold]));
const all = readOwnQuestions(fileURLToPath(new URL('.', import.meta.url)), foldOf);
const asked = all.filter(({ queries }) => queries.asked !== undefined);
const questions = all.filter(({ queries }) => queries.nothing === undefined && queries.asked === undefined);
const unanswerable = all.filter(({ queries }) => queries.nothing !== undefined);

test('at least a thousand questions over forty sets have a unique id and both forms', () => {
  expect(questions.length).toBeGreaterThanOrEqual(1_000);
  expect(new Set(questions.map(({ corpus }) => corpus)).size).toBeGreaterThanOrEqual(40);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  const incomplete = questions.filter(({ queries }) => !queries.agent?.trim() || !queries.cold?.trim());
  expect(incomplete).toEqual([]);
});

test('each question has a fold, pages, and answers of at least ten characters', () => {
  for (const { id, fold, gold, answer_any: answers } of [...questions, ...asked]) {
    expect({ id, fold: fold >= 1 && fold <= 5 }).toEqual({ id, fold: true });
    expect({ id, gold: gold.length > 0, answers: answers.length > 0 }).toEqual({ id, gold: true, answers: true });
    for (const answer of answers) expect({ id, length: answer.length >= 10 }).toEqual({ id, length: true });
  }
});

test('at least a hundred questions in all folds have no answer, and four hundred have a long form', () => {
  expect(unanswerable.length).toBeGreaterThanOrEqual(100);
  expect(new Set(unanswerable.map(({ fold }) => fold))).toEqual(new Set([1, 2, 3, 4, 5]));
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const problems = questions.flatMap(({ queries }) => queries.problem ?? []);
  expect(problems.length).toBeGreaterThanOrEqual(400);
  for (const problem of problems) expect(problem.split(' ').length).toBeGreaterThanOrEqual(60);
});

test('a third of the questions share no name with their passage', () => {
  expect(questions.filter(({ noNames }) => noNames).length * 3).toBeGreaterThanOrEqual(questions.length);
});

test('questions from public threads cover at least fifty sets and name their thread', () => {
  expect(new Set(asked.map(({ corpus }) => corpus)).size).toBeGreaterThanOrEqual(50);
  expect(asked.filter(({ source }) => source?.startsWith('https://') !== true)).toEqual([]);
});
