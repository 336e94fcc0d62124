import type { z } from 'zod';
import { jsonOf } from '#contract/lenient.ts';
import { errorFromEnvelope, offlineError, unreadableError } from './api-error.ts';
import { workspaceHeader } from './request.ts';

/**
 * Sends a call in this workspace whose response is a stream of lines, and yields each line after validation. Throws
 * `ApiError` for a refusal and for a stream that breaks off within a line; an aborted call throws the signal's reason.
 */
export async function* streamLines<Line extends z.ZodType>(
  path: string,
  input: unknown,
  line: Line,
  { signal, workspace }: { signal: AbortSignal; workspace: string },
): AsyncGenerator<z.output<Line>> {
  const answer = await send(path, input, signal, workspace);
  if (!answer.ok) throw errorFromEnvelope(await answer.json().catch(() => undefined), answer.status);
  if (answer.body === null) throw unreadableError(answer.status);
  let rest = '';
  for await (const piece of piecesOf(answer.body, signal)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) if (text !== '') yield parseLine(line, text, answer.status);
  }
  if (rest !== '') throw offlineError();
}

async function send(path: string, input: unknown, signal: AbortSignal, workspace: string): Promise<Response> {
  try {
    return await fetch(path, {
      method: 'POST',
      body: JSON.stringify(input),
      credentials: 'same-origin',
      headers: { 'x-lectern-csrf': '1', 'content-type': 'application/json', ...workspaceHeader(workspace) },
      signal,
    });
  } catch {
    signal.throwIfAborted();
    throw offlineError();
  }
}

async function* piecesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch {
    signal.throwIfAborted();
    throw offlineError();
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function parseLine<Line extends z.ZodType>(line: Line, text: string, status: number): z.output<Line> {
  const parsed = line.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw unreadableError(status);
}
