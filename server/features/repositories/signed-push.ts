import { createHmac, timingSafeEqual } from 'node:crypto';
import { jsonOf } from '#contract/lenient.ts';
import type { DeliveryRefusal } from '#contract/repositories.ts';

/** What a host of repositories has sent, before anything in it counts. */
export interface PushDelivery {
  body: Buffer;
  /** Of the request, by its lower-case name. */
  header(name: string): string | undefined;
}

/** How far the clock of a host may be off, where the time is signed too: as Standard Webhooks has it. */
const clockSkewMaxMs = 5 * 60_000;

const eventHeaders = ['x-gitea-event', 'x-forgejo-event', 'x-gogs-event', 'x-github-event', 'x-gitlab-event'];
const deliveryHeaders = [
  ...['x-gitea-delivery', 'x-forgejo-delivery', 'x-gogs-delivery', 'x-github-delivery'],
  // GitLab's first two are the same when it delivers again; the last tells deliveries of older ones apart.
  ...['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'],
];

/**
 * Why a delivery is not believed; undefined when it was made with one of the secrets, by the way its host uses: GitLab's
 * signing token (Standard Webhooks), the HMAC-SHA-256 of Gitea, Forgejo, Gogs and what signs as GitHub does, or GitLab's
 * secret token. The first that it names decides: one that is wrong is not made good by another.
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

/** In constant time, also where the lengths differ. */
function isSame(given: string, expected: string): boolean {
  const key = 'compare';
  return timingSafeEqual(hmac(key, Buffer.from(given)), hmac(key, Buffer.from(expected)));
}

export interface ToldPush {
  /** As the host names it. */
  event: string;
  /** The same when the host delivers once more; undefined where it names none. */
  deliveryId: string | undefined;
  isPush: boolean;
  /** The full name of what was pushed; undefined where the body does not say. */
  ref: string | undefined;
}

/** Reads a signed delivery. A body that is no JSON is a push of which nothing is known. */
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
  // Signed, but no JSON: every branch is looked at.
  const { ref } = (jsonOf(body.toString('utf8')) ?? {}) as { ref?: unknown };
  return typeof ref === 'string' && ref.startsWith('refs/') ? ref.slice(0, 500) : undefined;
}
