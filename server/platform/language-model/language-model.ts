/** A tool that a model may ask for. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON schema of its arguments. */
  inputSchema: Record<string, unknown>;
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** As the model wrote them: anything at all; undefined where it was no JSON. */
  input: unknown;
}

export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: ModelToolCall[] }
  | { role: 'tool'; results: { call: ModelToolCall; text: string }[] };

export interface ModelRequest {
  /** What holds for the whole conversation; nothing that others wrote belongs in here. */
  instructions: string;
  messages: ModelMessage[];
  /** None: it has to write. */
  tools: ModelTool[];
  outputTokensMax: number;
}

export type ModelPart =
  | { type: 'text'; delta: string }
  | { type: 'tool-call'; call: ModelToolCall }
  /** The last part. Tokens as the model counts them, where it says. */
  | { type: 'finish'; inputTokens: number | undefined; outputTokens: number | undefined };

/** A model that writes answers. */
export interface LanguageModel {
  /** As the operator named it. */
  readonly name: string;
  /**
   * Streams one answer; ends with `finish`. Throws a ModelError for anything but an answer: no connection, a refusal,
   * silence, a broken stream. A call ended by `signal` throws too; anyone who ended it knows.
   */
  answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Where answers come from. */
export type LanguageModelConfig =
  | { kind: 'none' }
  /** Any service with the chat completions of the OpenAI interface. */
  | { kind: 'openai-compatible'; url: string; key: string | undefined; model: string }
  /** A provider of the AI SDK that the operator has installed beside the product. */
  | { kind: 'provider'; packageName: string; url: string | undefined; key: string | undefined; model: string };

/** A model gave no answer. `message` is for the log. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}
