/** Messages of OpenAI's chat completions, as far as the loop uses them. */
export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export interface ChatToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface ChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: unknown };
}

export interface ChatEndpoint {
  url: string;
  model: string;
  key: string | undefined;
}

export interface ChatTurn {
  text: string;
  calls: ChatToolCall[];
  /** As counted by the endpoint; 0 if it reports no count. */
  inputTokens: number;
  outputTokens: number;
}

interface Chunk {
  choices?: { delta?: { content?: string | null; tool_calls?: ChunkCall[] } }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
}
type ChunkCall = { index: number; id?: string; function?: { name?: string; arguments?: string } };

const timeoutMs = 180_000;

/** Returns the model's next message. Throws if the response is anything else. */
export async function askModel(endpoint: ChatEndpoint, messages: ChatMessage[], tools: ChatTool[]): Promise<ChatTurn> {
  const response = await fetch(`${endpoint.url}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` }),
    },
    body: JSON.stringify({
      ...{ model: endpoint.model, messages, stream: true, stream_options: { include_usage: true } },
      ...(tools.length === 0 ? {} : { tools }),
    }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`the model answers ${response.status}`);
  return turnOf(await response.text());
}

function turnOf(stream: string): ChatTurn {
  const turn: ChatTurn = { text: '', calls: [], inputTokens: 0, outputTokens: 0 };
  for (const line of stream.split('\n')) {
    const data = /^data: ?(.*)$/.exec(line.trim())?.[1];
    if (data === undefined || data === '[DONE]') continue;
    const { choices, usage } = JSON.parse(data) as Chunk;
    const delta = choices?.[0]?.delta;
    turn.text += delta?.content ?? '';
    for (const part of delta?.tool_calls ?? []) addCall(turn.calls, part);
    turn.inputTokens += usage?.prompt_tokens ?? 0;
    turn.outputTokens += usage?.completion_tokens ?? 0;
  }
  return turn;
}

function addCall(calls: ChatToolCall[], { index, id, function: said }: ChunkCall): void {
  const call = (calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } });
  if (id !== undefined) call.id = id;
  call.function.name += said?.name ?? '';
  call.function.arguments += said?.arguments ?? '';
}
