import { createHmac, timingSafeEqual } from 'node:crypto';
import { jsonOf } from '#contract/lenient.ts';
import type { DeliveryRefusal } from '#contract/repositories.ts';

/** An unverified delivery from a repository host. */
export interface PushDelivery {
  body: Buffer;
  /** Returns a request header, by its lower-case name. */
  header(name: string): string | undefined;
}

/** Tolerated clock difference of a host if the time is signed, as in Standard Webhooks. */
const clockSkewMaxMs = 5 * 60_000;

const eventHeaders = ['x-gitea-event', 'x-forgejo-event', 'x-gogs-event', 'x-github-event', 'x-gitlab-event'];
const deliveryHeaders = [
  ...['x-gitea-delivery', 'x-forgejo-delivery', 'x-gogs-delivery', 'x-github-delivery'],
  // GitLab's first two stay the same when it redelivers; the last identifies deliveries of older versions.
  ...['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'],
];

/**
 * Returns why a delivery is refused; undefined if it is signed with one of the secrets, in its host's way: GitLab's
 * signing token (Standard Webhooks), the HMAC-SHA-256 of Gitea, Forgejo, Gogs and hosts that sign like GitHub, or
 * GitLab's secret token. The first method present decides: a wrong signature is not made valid by another method.
 */
export function refusalOf(
  secrets: readonly string[],
  delivery: PushDelivery,
  now: number,
): DeliveryRefusal | undefined {
  const { header } = delivery;
  const believed = (isMade: boolean) => (isMade ? undefined : 'wrong-secret');
  const standard = header('webhook-signature');
  if (standard !== undefined) {
    if (!secrets.some((secret) => isSignedAsStandard(secret, standard, delivery))) return 'wrong-secret';
    return isTimely(delivery, now) ? undefined : 'late';
  }
  const mac = header('x-hub-signature-256')?.replace(/^sha256=/, '') ?? macOf(delivery);
  if (mac !== undefined)
    return believed(secrets.some((secret) => isSame(mac, hmac(secret, delivery.body).toString('hex'))));
  const token = header('x-gitlab-token');
  if (token === undefined) return 'unsigned';
  return believed(secrets.some((secret) => isSame(token, secret)));
}

function macOf({ header }: PushDelivery): string | undefined {
  return header('x-forgejo-signature') ?? header('x-gitea-signature') ?? header('x-gogs-signature');
}

function isTimely({ header }: PushDelivery, now: number): boolean {
  const time = header('webhook-timestamp') ?? '';
  return /^\d{1,12}$/.test(time) && Math.abs(now - Number(time) * 1_000) <= clockSkewMaxMs;
}

function isSignedAsStandard(secret: string, signatures: string, { header, body }: PushDelivery): boolean {
  const [id = '', time = ''] = [header('webhook-id'), header('webhook-timestamp')];
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = `v1,${hmac(key, Buffer.concat([Buffer.from(`${id}.${time}.`), body])).toString('base64')}`;
  return signatures.split(' ').some((signature) => isSame(signature, expected));
}

function hmac(key: string | Buffer, text: Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Compares in constant time, even for different lengths. */
function isSame(given: string, expected: string): boolean {
  const key = 'compare';
  return timingSafeEqual(hmac(key, Buffer.from(given)), hmac(key, Buffer.from(expected)));
}

export interface ToldPush {
  /** As the host names it. */
  event: string;
  /** Equal when the host redelivers; undefined if it sends none. */
  deliveryId: string | undefined;
  isPush: boolean;
  /** The full name of the pushed branch or tag; undefined if the body does not contain it. */
  ref: string | undefined;
}

/** Parses a signed delivery. A body that is not JSON counts as a push of an unknown branch. */
export function pushIn({ header, body }: PushDelivery): ToldPush {
  const event = firstOf(eventHeaders, header) ?? 'push';
  const deliveryId = firstOf(deliveryHeaders, header);
  const ref = refIn(body);
  return {
    event: event.slice(0, 100),
    deliveryId: deliveryId?.slice(0, 200),
    isPush: /^(?:push|create|delete|(?:tag )?push hook)$/i.test(event),
    ref,
  };
}

function firstOf(names: readonly string[], header: PushDelivery['header']): string | undefined {
  return names.map(header).find((value) => value !== undefined && value !== '');
}

function refIn(body: Buffer): string | undefined {
  // Signed, but not JSON: check all branches.
  const { ref } = (jsonOf(body.toString('utf8')) ?? {}) as { ref?: unknown };
  return typeof ref === 'string' && ref.startsWith('refs/') ? ref.slice(0, 500) : undefined;
}
