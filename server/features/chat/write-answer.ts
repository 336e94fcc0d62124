import { z } from 'zod';
import type { ChatCitation, ChatEvent } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import {
  type LanguageModel,
  ModelError,
  type ModelMessage,
  type ModelToolCall,
} from '#server/platform/language-model/language-model.ts';
import { CitedText } from './cited-text.ts';
import {
  createWrapping,
  type EarlierTurn,
  instructions,
  openingMessages,
  readTool,
  searchTool,
} from './model-prompt.ts';
import type { Research } from './research.ts';

/** The text written by a model, and the tokens used. */
export interface Written {
  text: string;
  inputTokens: number | null;
  outputTokens: number | null;
}

type Step = Extract<ChatEvent, { type: 'text' | 'searching' | 'reading' | 'passages' | 'restart' }>;

interface Writing {
  model: LanguageModel;
  research: Research;
  question: string;
  earlier: readonly EarlierTurn[];
  signal: AbortSignal;
  /** Updated continuously, so that a partial answer can be stored if writing is interrupted. */
  written: Written;
}

/**
 * Lets the model write the answer from the passages found, and search or read further on request. Its text is withheld
 * until there is at least one passage. Throws a ModelError if it gives no answer.
 */
export async function* writeAnswer(writing: Writing): AsyncGenerator<Step> {
  const { model, research, question, earlier, signal, written } = writing;
  const wrap = createWrapping();
  const messages = openingMessages(question, wrap(research.citations), earlier);
  for (let step = 1; step <= limits.chatStepsMax; step += 1) {
    const mustWrite = step === limits.chatStepsMax || research.isOver();
    const tools = mustWrite ? [] : research.citations.length > 0 ? [searchTool, readTool] : [searchTool];
    const cited = new CitedText((number) => research.citations.some((known) => known.number === number));
    const calls: ModelToolCall[] = [];
    let raw = '';
    const request = { instructions, messages, tools, outputTokensMax: limits.chatModelTokensMax };
    for await (const part of model.answer(request, signal)) {
      if (part.type === 'tool-call') calls.push(part.call);
      else if (part.type === 'finish') count(written, part);
      else {
        raw += part.delta;
        yield* passOn(writing, cited.push(part.delta));
        if (written.text.length >= limits.chatAnswerCharactersMax) return;
      }
    }
    yield* passOn(writing, cited.end());
    if (calls.length === 0 || mustWrite) break;
    if (written.text !== '') yield { type: 'restart', writer: 'model' };
    written.text = '';
    messages.push({ role: 'assistant', text: raw, calls }, yield* runTools(writing, calls, wrap));
  }
  if (written.text.trim() === '' && research.citations.length > 0) throw new ModelError(`${model.name} wrote nothing`);
}

function* passOn({ research, written }: Writing, text: string): Generator<Step> {
  const room = limits.chatAnswerCharactersMax - written.text.length;
  const delta = text.slice(0, room);
  if (delta === '' || research.citations.length === 0) return;
  written.text += delta;
  yield { type: 'text', delta };
}

function count(written: Written, tokens: { inputTokens: number | undefined; outputTokens: number | undefined }): void {
  if (tokens.inputTokens !== undefined) written.inputTokens = (written.inputTokens ?? 0) + tokens.inputTokens;
  if (tokens.outputTokens !== undefined) written.outputTokens = (written.outputTokens ?? 0) + tokens.outputTokens;
}

type Wrap = (citations: readonly ChatCitation[]) => string;

async function* runTools(writing: Writing, calls: ModelToolCall[], wrap: Wrap): AsyncGenerator<Step, ModelMessage> {
  const results: { call: ModelToolCall; text: string }[] = [];
  for (const call of calls) {
    writing.signal.throwIfAborted();
    results.push({ call, text: yield* runTool(writing, call, wrap) });
  }
  return { role: 'tool', results };
}

const searchInput = z.object({ query: z.string().min(1) });
const readInput = z.object({ passage: z.coerce.number().int() });

async function* runTool({ research }: Writing, call: ModelToolCall, wrap: Wrap): AsyncGenerator<Step, string> {
  if (research.isOver()) return 'There are no further searches for this question. Answer from what you have.';
  const known = research.citations.length;
  try {
    const search = call.name === searchTool.name ? searchInput.safeParse(call.input) : undefined;
    const read = call.name === readTool.name ? readInput.safeParse(call.input) : undefined;
    let found: ChatCitation[] = [];
    if (search?.success) {
      yield { type: 'searching', query: search.data.query.slice(0, limits.queryCharactersMax) };
      found = await research.search(search.data.query);
    } else if (read?.success) {
      const { passage } = read.data;
      const url = research.citations.find(({ number }) => number === passage)?.url;
      if (url === undefined) return `There is no passage ${passage}.`;
      yield { type: 'reading', url };
      found = [await research.read(passage)].filter((citation) => citation !== undefined);
    } else return 'This was not understood. Give the arguments that the tool names.';
    const fresh = research.citations.slice(known);
    if (fresh.length > 0) yield { type: 'passages', citations: fresh };
    if (found.length === 0) return 'Nothing was found. Try other words.';
    const old = found.filter(({ number }) => number <= known).map(({ number }) => number);
    return [wrap(fresh), old.length > 0 ? `Found again: passages ${old.join(', ')}.` : ''].filter(Boolean).join('\n\n');
  } catch (error) {
    // If a search is refused, for example without credits, the model continues without it.
    if (!(error instanceof AppError)) throw error;
    return `This did not work (${error.code}). Answer from what you have.`;
  }
}
