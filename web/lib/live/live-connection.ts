import type { OutputOf } from '#contract/endpoint.ts';
import { jsonOf } from '#contract/lenient.ts';
import { type LiveEvent, liveEndpoints, liveEventSchema } from '#contract/live.ts';
import { callApi } from '../api-client.ts';
import { individualWorkspace } from '../workspace.ts';

/** A stream that sends nothing for this long after it opened is assumed to be buffered by a proxy. */
const firstWordMs = 8_000;
const pauseMs = { first: 1_000, longest: 30_000 };

/** Receives an event and the id to continue from. */
export type Hear = (event: LiveEvent, position: string) => void;

interface Place {
  /** The workspace whose changes are followed, in addition to the user's own. */
  workspace: string;
  /** Returns the id of the last event received. */
  position: () => string | undefined;
}

/**
 * Follows changes until `signal` is aborted or the server reports that the session has ended: over a stream, or by
 * polling if streams do not get through.
 */
export async function followChanges(hear: Hear, place: Place, signal: AbortSignal): Promise<void> {
  const outcome = await followStream(hear, place, signal);
  if (outcome === 'mute') await followPolls(hear, place, signal);
}

/** Resolves with `mute` if the stream is open but delivers nothing. */
function followStream(hear: Hear, place: Place, signal: AbortSignal): Promise<'over' | 'mute'> {
  return new Promise((resolve) => {
    let stream: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause = pauseMs.first;
    const end = (outcome: 'over' | 'mute') => {
      clearTimeout(timer);
      stream?.close();
      resolve(outcome);
    };
    const open = () => {
      if (signal.aborted) return;
      stream = new EventSource(addressOf(place));
      timer = setTimeout(() => end('mute'), firstWordMs);
      stream.addEventListener('ready', () => {
        clearTimeout(timer);
        pause = pauseMs.first;
      });
      stream.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
        const event = liveEventSchema.safeParse(jsonOf(data));
        if (!event.success) return;
        hear(event.data, lastEventId);
        if (event.data.type === 'ended') end('over');
      };
      stream.onerror = () => {
        // The browser's own reconnect would reuse the initial address, and gives up after a refusal.
        clearTimeout(timer);
        stream?.close();
        timer = setTimeout(open, pause);
        pause = Math.min(pause * 2, pauseMs.longest);
      };
    };
    signal.addEventListener('abort', () => end('over'), { once: true });
    open();
  });
}

async function followPolls(hear: Hear, { workspace, position }: Place, signal: AbortSignal): Promise<void> {
  let pause = pauseMs.first;
  while (!signal.aborted) {
    let answer: OutputOf<typeof liveEndpoints.pollLive>;
    try {
      answer = await callApi(liveEndpoints.pollLive, { after: position() }, signal, workspace);
      pause = pauseMs.first;
    } catch {
      // Nothing is lost: the next poll continues from the same position.
      await sleep(pause, signal);
      pause = Math.min(pause * 2, pauseMs.longest);
      continue;
    }
    for (const event of answer.events) hear(event, answer.position);
    if (answer.events.some(({ type }) => type === 'ended')) return;
  }
}

/** Returns the stream's address. It contains the team, because streams cannot send headers. */
function addressOf({ workspace, position }: Place): string {
  const query = new URLSearchParams();
  const after = position();
  if (workspace !== individualWorkspace) query.set('teamId', workspace);
  if (after !== undefined) query.set('after', after);
  return query.size === 0 ? '/api/live' : `/api/live?${query.toString()}`;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
