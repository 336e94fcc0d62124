import type { AskDocsInput, ChatCitation, ChatEvent, ChatMessage } from '#contract/chat.ts';
import type { ErrorCode } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Attempt, countAttempts, networkOf } from '#server/features/accounts/index.ts';
import { cleanLabel } from '#server/features/search/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { ModelError } from '#server/platform/language-model/language-model.ts';
import { beginAnswer, type Place, placeOfVisitor } from './begin-answer.ts';
import type { ChatDependencies } from './dependencies.ts';
import { findModule } from './find-module.ts';
import { settleMessage } from './message-store.ts';
import { asVisitor, ownerOf } from './owner.ts';
import { beginResearch, type Research, searchOf } from './research.ts';
import { findChat, type Owner, releaseChat } from './store.ts';
import { writeAnswer } from './write-answer.ts';

/** The asker; aborting `left` ends the answer and its model call. */
export interface Asker {
  /** Network address, for the visitors' limit. */
  address: string;
  left: AbortSignal;
}

/**
 * Streams the answer to a question from the documentation that the actor can read, as events. Refusals (invalid
 * question, unknown conversation or module, too many questions, no credits) are thrown before anything is stored; later
 * failures are `error` events. Costs as much as its searches and reads. A user's question and the answer so far are
 * stored, even if they leave early; nothing is stored for visitors.
 */
export async function askDocs(
  context: Context,
  input: AskDocsInput,
  deps: ChatDependencies,
  asker: Asker,
): Promise<AsyncGenerator<ChatEvent>> {
  // A new context object: charges for this question are counted by it.
  const ctx = input.isDemo === true ? asVisitor(context) : { ...context };
  requireRight(ctx, 'docs.search');
  const owner = ownerOf(ctx);
  const question = requireQuestion(input.question);
  const asked = { ...input, question };
  const known =
    owner === undefined || input.chatId === undefined ? undefined : await findChat(ctx.db.query, owner, input.chatId);
  if (input.chatId !== undefined && known === undefined) throw new AppError('chat-not-found');
  const moduleId = known === undefined ? input.moduleId : (known.moduleId ?? undefined);
  const module = moduleId === undefined ? undefined : await findModule(ctx, moduleId, deps);
  const end = deps.inProgress.begin(owner?.userId ?? networkOf(asker.address));
  try {
    await limitQuestions(ctx, owner, asker.address);
    await deps.search.admit(ctx, { tool: 'search', args: definedOf(searchOf(question, moduleId)), clientName: '' });
    const place = owner === undefined ? placeOfVisitor(asked) : await beginAnswer(ctx, owner, asked);
    return endingWith(
      end,
      new Answering(ctx, deps, asker, { question, place, moduleName: module?.displayName }).events(),
    );
  } catch (error) {
    end();
    throw error;
  }
}

async function* endingWith<T>(end: () => void, events: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* events;
  } finally {
    end();
  }
}

function requireQuestion(text: string): string {
  const question = text.trim();
  if (question === '') throw new AppError('question-empty');
  const limit = limits.chatQuestionCharactersMax;
  if (question.length > limit) throw new AppError('question-too-long', { values: { length: question.length, limit } });
  return question;
}

function definedOf(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

interface Question {
  question: string;
  place: Place;
  moduleName: string | undefined;
}

/** An answer in progress, from the first search to its storage. */
class Answering {
  readonly #ctx: Context;
  readonly #deps: ChatDependencies;
  readonly #left: AbortSignal;
  readonly #signal: AbortSignal;
  readonly #asked: Question;
  readonly #research: Research;
  readonly #written = { text: '', inputTokens: null as number | null, outputTokens: null as number | null };
  #writer: ChatMessage['writer'];
  readonly #createdAt: number;
  #isSettled = false;

  constructor(ctx: Context, deps: ChatDependencies, { left }: Asker, asked: Question) {
    this.#ctx = ctx;
    this.#deps = deps;
    this.#left = left;
    this.#signal = AbortSignal.any([left, AbortSignal.timeout(deps.answerSeconds * 1_000)]);
    this.#asked = asked;
    this.#research = beginResearch(ctx, { question: asked.question, moduleId: asked.place.moduleId }, deps);
    this.#writer = deps.model === undefined ? 'passages' : 'model';
    this.#createdAt = ctx.clock.now();
  }

  async *events(): AsyncGenerator<ChatEvent> {
    const { question, place } = this.#asked;
    try {
      yield { type: 'started', chatId: place.chatId, title: place.title, answerId: place.answerId };
      yield { type: 'searching', query: question };
      const found = await this.#research.search(question);
      if (found.length > 0) yield { type: 'passages', citations: found };
      yield* this.#write();
      if (this.#research.citations.length === 0) yield* this.#sayNothingFound();
      yield* this.#end('complete', this.#standIn);
    } catch (error) {
      if (this.#left.aborted) yield* this.#end('stopped', null);
      else yield* this.#fail(error);
    } finally {
      // A reader who leaves ends the generator at the last event.
      if (!this.#isSettled) await this.#settle('stopped', null);
    }
  }

  /** The error if passages replace the model's answer. */
  #standIn: ErrorCode | null = null;

  async *#write(): AsyncGenerator<ChatEvent> {
    const { model } = this.#deps;
    if (model === undefined) {
      yield* this.#quote();
      return;
    }
    try {
      const { question, place } = this.#asked;
      const [research, signal, written] = [this.#research, this.#signal, this.#written];
      yield* writeAnswer({ model, research, question, earlier: place.earlier, signal, written });
    } catch (error) {
      const isOurs = error instanceof ModelError && !this.#left.aborted;
      if (!isOurs || this.#written.text.trim() !== '' || this.#research.citations.length === 0) throw error;
      this.#ctx.log.warn({ err: error }, 'passages replace the answer of the language model');
      this.#standIn = 'model-failed';
      this.#writer = 'passages';
      this.#written.text = '';
      yield { type: 'restart', writer: 'passages' };
      yield* this.#quote();
    }
  }

  *#quote(): Generator<ChatEvent> {
    for (const delta of quoteBest(this.#research.citations)) {
      this.#left.throwIfAborted();
      this.#written.text += delta;
      yield { type: 'text', delta };
    }
  }

  *#sayNothingFound(): Generator<ChatEvent> {
    this.#writer = 'passages';
    this.#standIn = null;
    const delta = nothingFound(this.#asked.moduleName);
    this.#written.text = delta;
    yield { type: 'text', delta };
  }

  async *#fail(error: unknown): AsyncGenerator<ChatEvent> {
    const { requestId, log } = this.#ctx;
    const fault = this.#faultOf(error);
    if (fault.code === 'internal' || fault.code === 'model-failed')
      log.error({ err: error, requestId }, 'an answer failed');
    const answer = await this.#settle('failed', fault.code);
    yield { type: 'error', code: fault.code, message: fault.message, requestId, answer };
  }

  #faultOf(error: unknown): AppError {
    if (error instanceof AppError) return error;
    if (this.#signal.aborted) {
      return new AppError('deadline-exceeded', { values: { seconds: this.#deps.answerSeconds } });
    }
    if (error instanceof ModelError) return new AppError('model-failed');
    return new AppError('internal', { values: { requestId: this.#ctx.requestId } });
  }

  async *#end(state: ChatMessage['state'], errorCode: ErrorCode | null): AsyncGenerator<ChatEvent> {
    const message = await this.#settle(state, errorCode);
    if (message.usage !== null) yield { type: 'usage', usage: message.usage };
    yield { type: 'done', message };
  }

  /**
   * Stores the answer so far and releases the conversation. A conversation that was deleted meanwhile stays deleted.
   */
  async #settle(state: ChatMessage['state'], errorCode: ErrorCode | null): Promise<ChatMessage> {
    this.#isSettled = true;
    const { place } = this.#asked;
    const { text, inputTokens, outputTokens } = this.#written;
    const usage = { ...this.#research.usage(), modelInputTokens: inputTokens, modelOutputTokens: outputTokens };
    const citations = [...this.#research.citations];
    const outcome = { state, writer: this.#writer, errorCode };
    if (place.chatId !== null) {
      const now = this.#ctx.clock.now();
      await this.#ctx.db.transaction(async (tx) => {
        const stored = { ...outcome, body: text, citations: JSON.stringify(citations), usage: JSON.stringify(usage) };
        await settleMessage(tx, place.answerId, stored);
        await releaseChat(tx, place.answerId, now);
      });
    }
    return { id: place.answerId, role: 'answer', text, ...outcome, citations, usage, createdAt: this.#createdAt };
  }
}

/** Counts a question; throws `chat-limit-reached`, with the time to wait, after too many recent questions. */
async function limitQuestions(ctx: Context, owner: Owner | undefined, address: string): Promise<void> {
  const attempts: Attempt[] =
    owner === undefined ? [['chat-visitor', address], ['chat-all-visitors']] : [['chat-person', owner.userId]];
  const retryAfterSeconds = await countAttempts(ctx, attempts);
  if (retryAfterSeconds === undefined) return;
  throw new AppError('chat-limit-reached', {
    retryAfterSeconds,
    values: {
      limit: owner === undefined ? limits.chatVisitorQuestionsMax : limits.chatPersonQuestionsMax,
      minutes: limits.chatVisitorMinutes,
      wait: waitOf(retryAfterSeconds),
      remedy: owner === undefined ? 'With an account, you can continue now.' : '',
    },
  });
}

function waitOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Returns the free answer if nothing fits. */
function nothingFound(moduleName: string | undefined): string {
  const where = moduleName === undefined ? 'the documentation that you can read' : cleanLabel(moduleName, 80);
  return `Nothing in ${inert(where)} answers this question. Try the documentation's own words, such as the name of a function or an option.`;
}

/**
 * Yields an answer from the best passage, in parts: its headings and number, then its whole text. The screen shows the
 * other passages.
 */
function* quoteBest([best]: readonly ChatCitation[]): Iterable<string> {
  if (best === undefined) return;
  const place = [best.title, best.headingPath.at(-1) ?? '']
    .map((part) => inert(cleanLabel(part, 120)))
    .filter((part, index, parts) => part !== '' && parts.indexOf(part) === index)
    .join(' › ');
  yield `**${place || 'Untitled'}** [${best.number}]\n\n`;
  yield `${closed(best.text).replace(/^/gm, '> ')}\n\n`;
}

/** Escapes a label for Markdown. */
function inert(label: string): string {
  return label.replace(/[\\`*_{}[\]()<>#+!|~&]/g, '\\$&');
}

/** Closes a code block that was cut open, so that it does not include the following text. */
function closed(text: string): string {
  const lines = text.trim().split('\n');
  let fence: string | undefined;
  for (const line of lines) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
  }
  return fence === undefined ? lines.join('\n') : `${lines.join('\n')}\n${fence}`;
}
