import type { AskDocsInput, ChatEvent, ChatMessage } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { AnswersInProgress } from '#server/features/chat/answers-in-progress.ts';
import { askDocs } from '#server/features/chat/ask-docs.ts';
import type { ChatDependencies } from '#server/features/chat/dependencies.ts';
import { createChatSearch } from '#server/features/chat/open-chat.ts';
import { createCallMeter } from '#server/features/credits/call-meter.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import { openLanguageModel } from '#server/platform/language-model/open-language-model.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { type ModuleOfTest, memoryShelf } from '../mcp/memory-shelf.ts';
import { sampleModules } from '../mcp/sample-docs.ts';
import type { ModelServer } from './chat-model.ts';
import { type DatabaseKind, freshDatabase } from './database.ts';
import { silentLog } from './log.ts';
import { userRow } from './rows.ts';

export interface SamplePerson extends Context {
  clock: SettableClock;
}

/** Creates a user with credits, in a new database unless one is given. */
export async function samplePerson(
  kind: DatabaseKind,
  { userId = 'anna', credits = 20, beside }: { userId?: string; credits?: number; beside?: SamplePerson } = {},
): Promise<SamplePerson> {
  const db = beside?.db ?? (await freshDatabase(kind));
  const clock = beside?.clock ?? createSettableClock();
  await db.query
    .insertInto('users')
    .values(userRow({ id: userId, createdAt: clock.now(), credits }))
    .execute();
  return {
    actor: { kind: 'user', userId },
    workspace: `user:${userId}`,
    ...{ db, clock, log: silentLog, requestId: `request-of-${userId}` },
  };
}

/** Returns a visitor of the same installation. */
export function sampleVisitor(beside: SamplePerson): SamplePerson {
  return { ...beside, actor: { kind: 'anonymous' }, workspace: null };
}

export const sampleMeter: CallMeter = createCallMeter({ publicUrl: 'https://docs.example' });

/** Opens chats over the sample documentation, with a model if given. */
export function sampleChat(model?: ModelServer, modules: ModuleOfTest[] = sampleModules): ChatDependencies {
  const outbound = createOutbound({
    allowHosts: model === undefined ? [] : [new URL(model.url).host],
    userAgent: 'test',
  });
  const config = { kind: 'openai-compatible' as const, url: model?.url ?? '', key: 'sk-test', model: 'small' };
  return {
    search: createChatSearch({ shelf: memoryShelf(modules), meter: sampleMeter }),
    model: openLanguageModel(model === undefined ? { kind: 'none' } : config, { outbound, silenceMs: 5_000 }),
    inProgress: new AnswersInProgress(),
    answerSeconds: limits.chatAnswerSeconds,
  };
}

/** Asks and reads the answer to its end. */
export async function ask(
  ctx: Context,
  input: AskDocsInput,
  deps: ChatDependencies,
  left: AbortSignal = new AbortController().signal,
  onEvents: (events: readonly ChatEvent[]) => void = () => undefined,
): Promise<{ events: ChatEvent[]; chatId: string | null; answer: ChatMessage; text: string }> {
  const events: ChatEvent[] = [];
  for await (const event of await askDocs(ctx, input, deps, { address: '192.0.2.7', left })) {
    events.push(event);
    onEvents(events);
  }
  const last = events.at(-1);
  const started = events[0];
  if (started?.type !== 'started') throw new Error('the answer did not begin');
  if (last?.type !== 'done' && last?.type !== 'error') throw new Error('the answer did not end');
  const text = events.reduce((sum, event) => {
    if (event.type === 'restart') return '';
    return event.type === 'text' ? sum + event.delta : sum;
  }, '');
  return { events, chatId: started.chatId, answer: last.type === 'done' ? last.message : last.answer, text };
}
