import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The form of a question: `agent` as a coding agent writes it (library named, identifiers), `cold` as a person types
 * it, `problem` as a whole task with pasted code, `asked` for needs from public threads in an agent's words, and
 * `nothing` for questions that no documentation set answers.
 */
export const forms = ['agent', 'cold', 'problem', 'asked', 'nothing'] as const;
export type Form = (typeof forms)[number];

/** An evaluation question with its expected answers. */
export interface Question {
  id: string;
  corpus: string;
  /** The question in each of its forms. */
  queries: Partial<Record<Form, string>>;
  /** Correct pages relative to the corpus; any of them counts. */
  gold: string[];
  /** Any of these in the returned text means that the answering passage was returned. */
  answer_any: string[];
  kind: string;
  /**
   * `written` questions of the shared set are closer to the documentation's words than real ones and are reported
   * separately.
   */
  tier: string;
  /** True if the cold form shares no name with the passage; only in the project's own set. */
  noNames?: boolean;
  /** Address of the thread that an `asked` question is from. */
  source?: string;
  /** Fold of the documentation set, 1 to 5, for questions of the project's own set; 0 for others. */
  fold: number;
}

/** A line of a question file: `query` is the cold form, the other forms have their own fields. */
type Line = Omit<Question, 'queries' | 'fold' | 'tier'> &
  Partial<Record<Form, string>> & { query?: string; tier?: string; fold?: number };

/** Reads a file with one question per line; `agentFile` contains the agent form of some of them, by id. */
export function readQuestions(file: string, agentFile?: string): Question[] {
  const agentForms = new Map(
    agentFile === undefined
      ? []
      : linesOf<{ id: string; query: string }>(agentFile).map(({ id, query }) => [id, query]),
  );
  return linesOf<Line>(file).map(
    ({ query, agent, cold, problem, asked, nothing, tier = 'own', fold = 0, ...question }) => {
      const given = { agent: agent ?? agentForms.get(question.id), cold: cold ?? query, problem, asked, nothing };
      const queries = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined));
      return { ...question, queries, tier, fold };
    },
  );
}

/** Reads the project's own questions, one file per documentation set, with their set's fold. */
export function readOwnQuestions(folder: string, foldOf: ReadonlyMap<string, number>): Question[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readQuestions(join(folder, name)))
    .map((question) => ({ ...question, fold: foldOf.get(question.corpus) ?? question.fold }));
}

function linesOf<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}
