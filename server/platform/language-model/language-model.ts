/** A tool that a model may call. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON schema of its arguments. */
  inputSchema: Record<string, unknown>;
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** The model's arguments, unchecked; undefined if they were not JSON. */
  input: unknown;
}

export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: ModelToolCall[] }
  | { role: 'tool'; results: { call: ModelToolCall; text: string }[] };

export interface ModelRequest {
  /** Instructions for the whole conversation; must not contain text from others. */
  instructions: string;
  messages: ModelMessage[];
  /** Without tools, the model must write text. */
  tools: ModelTool[];
  outputTokensMax: number;
}

export type ModelPart =
  | { type: 'text'; delta: string }
  | { type: 'tool-call'; call: ModelToolCall }
  /** The last part. Token counts as reported by the model, if any. */
  | { type: 'finish'; inputTokens: number | undefined; outputTokens: number | undefined };

/** A model that writes answers. */
export interface LanguageModel {
  /** The operator's name for the model. */
  readonly name: string;
  /**
   * Streams one answer, which ends with `finish`. Throws a ModelError for any failure: no connection, a refusal, a
   * timeout, a broken stream. Also throws after an abort by `signal`; its caller knows the reason.
   */
  answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Source of answers. */
export type LanguageModelConfig =
  | { kind: 'none' }
  /** Any service with OpenAI's chat completions API. */
  | { kind: 'openai-compatible'; url: string; key: string | undefined; model: string }
  /** A provider package of the AI SDK that the operator has installed separately. */
  | { kind: 'provider'; packageName: string; url: string | undefined; key: string | undefined; model: string };

/** Thrown if a model gave no answer. `message` is for the log. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}
