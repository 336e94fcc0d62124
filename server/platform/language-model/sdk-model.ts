import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { jsonOf } from '#contract/lenient.ts';
import {
  type LanguageModel,
  ModelError,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
} from './language-model.ts';

/** Low, so that answers stay close to the documentation. */
const temperature = 0.2;

/**
 * Average characters per token. A model that writes more did not respect its token limit, and all its text would be
 * sent back to it.
 */
const tokenCharactersMax = 20;
/** Characters of a tool call besides its arguments. */
const callCharacters = 100;

/**
 * Wraps any model with the AI SDK interface (version 4) as a LanguageModel; `open` is called with the first question.
 */
export function sdkModel(name: string, open: () => Promise<LanguageModelV4>): LanguageModel {
  let opened: Promise<LanguageModelV4> | undefined;
  return {
    name,
    async *answer(request, signal) {
      try {
        opened ??= open();
        const { stream } = await (await opened).doStream(optionsOf(request, signal));
        yield* partsOf(stream, request.outputTokensMax * tokenCharactersMax);
      } catch (error) {
        if (error instanceof ModelError) throw error;
        throw new ModelError(`${name} gave no answer: ${reasonOf(error)}`);
      }
    },
  };
}

function optionsOf(request: ModelRequest, signal: AbortSignal): LanguageModelV4CallOptions {
  const tools = request.tools.map((tool) => ({ type: 'function' as const, ...tool }));
  return {
    prompt: [{ role: 'system', content: request.instructions }, ...request.messages.map(toMessage)],
    ...(tools.length > 0 ? { tools, toolChoice: { type: 'auto' as const } } : {}),
    maxOutputTokens: request.outputTokensMax,
    temperature,
    abortSignal: signal,
  };
}

function toMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.calls.map(({ id, name, input }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: input ?? {},
          })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ call, text }) => ({
          type: 'tool-result',
          toolCallId: call.id,
          toolName: call.name,
          output: { type: 'text', value: text },
        })),
      };
  }
}

async function* partsOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  charactersMax: number,
): AsyncIterable<ModelPart> {
  let isFinished = false;
  let characters = 0;
  const count = (written: number) => {
    characters += written;
    if (characters > charactersMax) throw new ModelError('it wrote more than it was asked for');
  };
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        count(part.delta.length);
        if (part.delta !== '') yield { type: 'text', delta: part.delta };
        break;
      case 'tool-call': {
        const { toolCallId: id, toolName: name, input } = part;
        count(callCharacters + id.length + name.length + input.length);
        yield { type: 'tool-call', call: { id, name, input: jsonOf(input) } };
        break;
      }
      case 'error':
        throw new ModelError(`the stream told a fault: ${reasonOf(part.error)}`);
      case 'finish': {
        const { unified } = part.finishReason;
        if (unified === 'error' || unified === 'interrupted') throw new ModelError(`the stream ended with ${unified}`);
        isFinished = true;
        yield {
          type: 'finish',
          inputTokens: countOf(part.usage.inputTokens.total),
          outputTokens: countOf(part.usage.outputTokens.total),
        };
        break;
      }
      default:
        // Reasoning, metadata and tools that the provider runs are not shown.
        break;
    }
  }
  if (!isFinished) throw new ModelError('the stream broke off');
}

/** Returns a token count from the service; undefined if it is not a number. */
function countOf(tokens: number | undefined): number | undefined {
  return Number.isSafeInteger(tokens) && (tokens ?? -1) >= 0 ? tokens : undefined;
}

/** Returns the reason of a failure in a few words: SDK errors contain the whole request, which must not be logged. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  const status =
    'statusCode' in error && typeof error.statusCode === 'number' ? ` with status ${error.statusCode}` : '';
  const cause = 'cause' in error && error.cause instanceof Error ? `, ${error.cause.name}` : '';
  return `${error instanceof Error ? error.name : 'a fault'}${status}${cause}`;
}
