import { expect, onTestFinished } from 'vitest';
import { type LiveEvent, liveEventSchema } from '#contract/live.ts';
import { until } from '../services/until.ts';
import type { Sender } from './http-rig.ts';

/** A client that reads a stream of changes. */
export interface Reading {
  events: LiveEvent[];
  /** Names of the changed queries, in order of arrival. */
  changed(): string[];
  /** The last event's id. */
  position(): string;
  isOver(): boolean;
  leave(): void;
}

export function readStream(response: Response, controller = new AbortController()): Reading {
  const events: LiveEvent[] = [];
  let position = '';
  let isOver = false;
  const read = async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of response.body ?? []) {
      const frames = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        if (frame.startsWith('event: ')) continue;
        position = /^id: (.+)$/m.exec(frame)?.[1] ?? position;
        const data = /^data: (.+)$/m.exec(frame)?.[1];
        if (data !== undefined) events.push(liveEventSchema.parse(JSON.parse(data)));
      }
    }
  };
  const ended = () => {
    isOver = true;
  };
  void read().then(ended, ended);
  return {
    events,
    changed: () => events.flatMap((event) => (event.type === 'changed' ? [event.query] : [])),
    position: () => position,
    isOver: () => isOver,
    leave: () => controller.abort(),
  };
}

/** Opens a stream; without `after` its first event must tell the reader to read everything. */
export async function listen(url: string, sender: Sender, query: Record<string, string> = {}): Promise<Reading> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const address = `${url}/api/live?${new URLSearchParams(query).toString()}`;
  const response = await fetch(address, { headers: sender, signal: controller.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reading = readStream(response, controller);
  if (query['after'] === undefined && sender['last-event-id'] === undefined) {
    await until('the reader is told to read all', () => reading.events.length === 1);
    expect(reading.events[0]).toEqual({ type: 'refresh' });
  }
  return reading;
}
