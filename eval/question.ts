import { readFileSync } from 'node:fs';

/** One judged question of the evaluation. */
export interface Question {
  id: string;
  corpus: string;
  query: string;
  /** Pages relative to the corpus; any of them counts. */
  gold: string[];
  /** Any of these in the returned text means that the answering passage came back. */
  answer_any: string[];
  kind: string;
  /** `written` questions are nearer to the documentation's words than real ones and are reported apart. */
  tier: string;
}

/** Reads a file of one question a line. */
export function readQuestions(file: string): Question[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Question);
}
