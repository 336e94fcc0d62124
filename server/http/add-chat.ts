import type { Hono, Context as HonoContext } from 'hono';
import { askDocsInput, askDocsPath, type ChatEvent, chatStreamType } from '#contract/chat.ts';
import type { Context } from '#server/context.ts';
import { parseInput } from '#server/features/call.ts';
import type { Asker, Chat } from '#server/features/chat/index.ts';

interface ChatParts {
  chat: Pick<Chat, 'askDocs'>;
  ending: AbortSignal;
  contextOf(c: HonoContext): Promise<Context>;
  inputOf(c: HonoContext): Promise<Record<string, unknown>>;
  addressOf(c: HonoContext): string;
}

/**
 * Streams answers to questions: one event a line. A question refused at once gets an ordinary error response; once the stream
 * has begun, faults are events. It ends, with the call of the model behind it, when the reader goes away or the server ends.
 */
export function addChat(app: Hono<{ Variables: { requestId: string } }>, parts: ChatParts): void {
  app.post(askDocsPath, async (c) => {
    const ctx = await parts.contextOf(c);
    const input = parseInput(askDocsInput, await parts.inputOf(c));
    const gone = new AbortController();
    const left = AbortSignal.any([gone.signal, c.req.raw.signal, parts.ending]);
    const asker: Asker = { address: parts.addressOf(c), left };
    const events = await parts.chat.askDocs(ctx, input, asker);
    return new Response(streamOf(events, gone, ctx), {
      headers: {
        'content-type': `${chatStreamType}; charset=utf-8`,
        'cache-control': 'no-store',
        // Proxies would collect the answer and hand it over at its end.
        'x-accel-buffering': 'no',
        'x-request-id': ctx.requestId,
      },
    });
  });
}

function streamOf(
  events: AsyncGenerator<ChatEvent>,
  gone: AbortController,
  { log }: Context,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    // Begun whether or not someone still reads, and read to its end: the answer lets go of its conversation there.
    async start(controller) {
      const write = (event: ChatEvent) => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      };
      void (async () => {
        try {
          for await (const event of events) write(event);
        } catch (error) {
          log.error({ err: error }, 'an answer could not be kept');
        }
        if (!gone.signal.aborted) controller.close();
      })();
    },
    cancel: () => gone.abort(),
  });
}
