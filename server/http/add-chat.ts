import type { Hono, Context as HonoContext } from 'hono';
import { askDocsInput, askDocsPath, type ChatEvent, chatStreamType } from '#contract/chat.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { parseInput } from '#server/features/call.ts';
import type { Asker, Chat } from '#server/features/chat/index.ts';
import { onSenderEnded, type SenderParts } from './live/still-same.ts';

interface ChatParts extends SenderParts {
  chat: Pick<Chat, 'askDocs'>;
  ending: AbortSignal;
  inputOf(c: HonoContext): Promise<Record<string, unknown>>;
  addressOf(c: HonoContext): string;
}

/**
 * Adds the endpoint that streams answers to questions, one event per line. A question refused at once gets an ordinary
 * error response; after the stream has begun, errors are sent as events. The stream and the model call behind it end
 * when the reader disconnects, signs out or leaves the team, or when the server stops.
 */
export function addChat(app: Hono<{ Variables: { requestId: string } }>, parts: ChatParts): void {
  app.post(askDocsPath, async (c) => {
    const ctx = await parts.contextOf(c);
    // Check rights before the input: a visitor may ask, an API key may not.
    if (ctx.actor.kind !== 'anonymous') requirePerson(ctx);
    const input = parseInput(askDocsInput, await parts.inputOf(c));
    const [gone, ended] = [new AbortController(), new AbortController()];
    const left = AbortSignal.any([gone.signal, ended.signal, c.req.raw.signal, parts.ending]);
    const asker: Asker = { address: parts.addressOf(c), left };
    const forget = onSenderEnded(c, parts, ctx, () => ended.abort());
    const events = await parts.chat.askDocs(ctx, input, asker).catch((error: unknown) => {
      forget();
      throw error;
    });
    return new Response(streamOf(events, { gone, ended: ended.signal, forget }, ctx), {
      headers: {
        'content-type': `${chatStreamType}; charset=utf-8`,
        'cache-control': 'no-store',
        // Keeps proxies from buffering the whole answer.
        'x-accel-buffering': 'no',
        'x-request-id': ctx.requestId,
      },
    });
  });
}

function streamOf(
  events: AsyncGenerator<ChatEvent>,
  { gone, ended, forget }: { gone: AbortController; ended: AbortSignal; forget: () => void },
  { log }: Context,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    // Starts without waiting for a reader and consumes all events, because the answer releases its conversation at the
    // end.
    async start(controller) {
      let isOpen = true;
      const close = () => {
        if (isOpen && !gone.signal.aborted) controller.close();
        isOpen = false;
      };
      const write = (event: ChatEvent) => {
        if (isOpen && !gone.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      };
      ended.addEventListener('abort', close);
      if (ended.aborted) close();
      void (async () => {
        try {
          for await (const event of events) write(event);
        } catch (error) {
          log.error({ err: error }, 'an answer could not be kept');
        }
        forget();
        close();
      })();
    },
    cancel: () => gone.abort(),
  });
}
