import { builtOnce } from '#server/platform/db/built-once.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type QuestionRow = Row<'agentQuestions'>;

/** Inserts a question; returns false if another question of the session is still open. */
export async function insertQuestion(queries: Queries, row: NewRow<'agentQuestions'>): Promise<boolean> {
  const inserted = await queries
    .insertInto('agentQuestions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Returns a session's questions, oldest first. */
export async function listQuestions(queries: Queries, sessionId: string): Promise<QuestionRow[]> {
  return questionsOfSession(queries, { sessionId });
}

const questionsOfSession = builtOnce((queries, { sessionId }: { sessionId: string }) =>
  queries.selectFrom('agentQuestions').selectAll().where('sessionId', '=', sessionId).orderBy('askedAt').orderBy('id'),
);

/** Returns a question from one of this user's sessions. */
export async function findQuestionOf(
  queries: Queries,
  userId: string,
  questionId: string,
): Promise<QuestionRow | undefined> {
  return queries
    .selectFrom('agentQuestions')
    .innerJoin('agentSessions', 'agentSessions.id', 'agentQuestions.sessionId')
    .selectAll('agentQuestions')
    .where('agentQuestions.id', '=', questionId)
    .where('agentSessions.userId', '=', userId)
    .executeTakeFirst();
}

/** Settles an open question; the first answer is final. */
export async function settleQuestion(
  queries: Queries,
  questionId: string,
  to: { state: 'answered' | 'declined'; answer: string | null; answeredAt: number },
): Promise<void> {
  await queries
    .updateTable('agentQuestions')
    .set(to)
    .where('id', '=', questionId)
    .where('state', '=', 'asked')
    .execute();
}
