import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Outbound, OutboundError } from '../outbound/index.ts';
import { type EmbeddingConfig, EmbeddingError, type EmbeddingModel } from './embedding-model.ts';

/** Allowed dimensions: fewer cannot distinguish texts, and no model has more. */
const dimensionsMin = 8;
const dimensionsMax = 8_192;
const answerBytesMax = 30_000_000;
const refusals = [400, 413, 422];

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).max(dimensionsMax) })),
});

/** Creates the configured model. Sends no request before the first text. */
export function openEmbeddingModel({ url, model, key }: EmbeddingConfig, outbound: Outbound): EmbeddingModel {
  return {
    name: model,
    id: createHash('sha256').update(model).digest('hex').slice(0, 16),
    async embed(texts, { timeoutMs, signal }) {
      const asked = await ask(outbound, `${url}/embeddings`, {
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        ...{ timeoutMs, signal },
      });
      return vectorsOf(asked, texts.length);
    },
  };
}

async function ask(
  outbound: Outbound,
  url: string,
  request: { headers: Record<string, string>; body: string; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<unknown> {
  const { headers, body, timeoutMs, signal } = request;
  try {
    const answer = await outbound.request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      bytesMax: answerBytesMax,
      redirectsMax: 0,
      ...{ body, timeoutMs },
      ...(signal === undefined ? {} : { signal }),
    });
    // The service's error text may repeat the input texts, which must not be logged.
    if (answer.status !== 200) {
      const isRefused = refusals.includes(answer.status);
      throw new EmbeddingError(`the service answered with status ${answer.status}`, { isRefused });
    }
    return JSON.parse(new TextDecoder().decode(answer.body));
  } catch (error) {
    if (error instanceof OutboundError) throw new EmbeddingError(`the service did not respond: ${error.code}`);
    if (error instanceof SyntaxError) throw new EmbeddingError("the service's response is not JSON");
    throw error;
  }
}

function vectorsOf(answer: unknown, count: number): Float32Array[] {
  const read = answerSchema.safeParse(answer);
  if (!read.success) throw new EmbeddingError("the service's response has no vectors");
  const { data } = read.data;
  const vectors = new Map(data.map(({ index, embedding }) => [index, unitOf(embedding)]));
  const inOrder = Array.from({ length: count }, (_, at) => vectors.get(at));
  const dimensions = inOrder[0]?.length ?? 0;
  if (data.length !== count || inOrder.some((vector) => vector?.length !== dimensions)) {
    throw new EmbeddingError('the service returned vectors that do not fit the request');
  }
  if (dimensions < dimensionsMin) {
    throw new EmbeddingError(`vectors of ${dimensions} numbers cannot be used`);
  }
  return inOrder.filter((vector) => vector !== undefined);
}

function unitOf(numbers: number[]): Float32Array {
  const length = Math.hypot(...numbers);
  if (!Number.isFinite(length) || length === 0) throw new EmbeddingError('a vector of the service has no direction');
  return Float32Array.from(numbers, (number) => number / length);
}
