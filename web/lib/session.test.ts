import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { type Session, sessionKey, withPosition } from './session.ts';

const sessionOf = (uid: string, livePosition?: string) => ({ user: { uid }, livePosition }) as Session;

test('live events start at the first session of a page that has fetched nothing else', () => {
  const client = new QueryClient();
  client.setQueryData(['site'], {});
  client.getQueryCache().build(client, { queryKey: ['teams'] });
  expect(withPosition(client, sessionOf('anna', 'first')).livePosition).toBe('first');
  client.setQueryData(['modules'], []);
  expect(withPosition(client, sessionOf('anna', 'first')).livePosition).toBeUndefined();
  client.setQueryData(sessionKey, sessionOf('anna', 'first'));
  expect(withPosition(client, sessionOf('anna', 'later')).livePosition).toBe('first');
  expect(withPosition(client, sessionOf('bert', 'later')).livePosition).toBeUndefined();
});

test('a page with a fetch in progress has no live position', () => {
  const client = new QueryClient();
  void client.fetchQuery({ queryKey: ['modules'], queryFn: () => new Promise(() => undefined) });
  expect(withPosition(client, sessionOf('anna', 'first')).livePosition).toBeUndefined();
});
