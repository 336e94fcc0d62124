import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import { networkOf } from './rate-limits.ts';

/** The cost of one check; stored with each hash, so that it can be raised later. */
export interface ScryptCost {
  /** Memory and time cost; a power of two. */
  n: number;
  blockSize: number;
  passes: number;
}

/**
 * Returns the cost of new hashes. With `passwordCost` 15 it is one of the equivalent settings in OWASP's password storage
 * cheat sheet: 32 MiB and about a quarter of a second. The setting with 128 MiB would let four concurrent sign-ins take
 * half a gigabyte.
 */
export function scryptCost(passwordCost: number): ScryptCost {
  return { n: 2 ** passwordCost, blockSize: 8, passes: 3 };
}

// Hashing uses the same four threads as file access and DNS lookups.
const checksAtOnce = 2;
const checksWaitingMax = 64;
/** Per network: about four seconds of work, which leaves room for other networks. */
const checksWaitingOfOneMax = 16;
const saltBytes = 16;
const hashBytes = 32;

/** Hashes and checks passwords; `who` is the network address or user that the work is for. */
export interface Passwords {
  /** Returns the hash to store. */
  hash(password: string, who: string): Promise<string>;
  /**
   * Returns true if the password matches the stored hash. Without a hash, returns false after the same amount of work.
   */
  isRight(password: string, stored: string | undefined, who: string): Promise<boolean>;
  /** Returns true if a stored hash has a lower cost than new ones. */
  isOutdated(stored: string): boolean;
}

/** Throws for an empty or too short password; counts characters, not bytes. */
export function requireNewPassword(password: string): void {
  if (password === '') throw new AppError('missing-password');
  if ([...normalize(password)].length < limits.passwordCharactersMin) throw new AppError('weak-password');
}

/**
 * Creates the hashing of passwords, two at a time. Networks take turns, so that repeated sign-ins from one do not delay
 * others; if too many are waiting from one network or in total, further ones are refused with `too-many-requests`.
 * Passwords are compared in Unicode form NFKC (NIST SP 800-63B), because keyboards compose characters differently.
 */
export function createPasswords(cost: ScryptCost): Passwords {
  const inTurn = createTurns();
  const current = describeCost(cost);
  const dummy = `${current}$${randomBytes(saltBytes).toString('base64url')}$${randomBytes(hashBytes).toString('base64url')}`;
  return {
    async hash(password, who) {
      const salt = randomBytes(saltBytes);
      const hash = await inTurn(networkOf(who), () => derive(password, salt, cost));
      return `${current}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    },
    async isRight(password, stored, who) {
      const { cost: storedCost, salt, hash } = parseStored(stored ?? dummy);
      const derived = await inTurn(networkOf(who), () => derive(password, salt, storedCost));
      return timingSafeEqual(derived, hash) && stored !== undefined;
    },
    isOutdated: (stored) => !stored.startsWith(`${current}$`),
  };
}

function normalize(password: string): string {
  return password.normalize('NFKC');
}

function describeCost({ n, blockSize, passes }: ScryptCost): string {
  return `scrypt$n=${n},r=${blockSize},p=${passes}`;
}

function parseStored(stored: string): { cost: ScryptCost; salt: Buffer; hash: Buffer } {
  const match = /^scrypt\$n=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored);
  if (match === null) throw new Error('a stored password has an unknown form');
  const [, n, blockSize, passes, salt = '', hash = ''] = match;
  return {
    cost: { n: Number(n), blockSize: Number(blockSize), passes: Number(passes) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

function derive(password: string, salt: Buffer, { n, blockSize, passes }: ScryptCost): Promise<Buffer> {
  // Twice the algorithm's own need, since Node counts slightly more.
  const options = { N: n, r: blockSize, p: passes, maxmem: 2 * 128 * n * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(normalize(password), salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function createTurns(): <T>(who: string, work: () => Promise<T>) => Promise<T> {
  /** Waiting work by network, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  let waitingCount = 0;
  const enter = async (who: string) => {
    const own = waiting.get(who) ?? [];
    if (own.length >= checksWaitingOfOneMax || waitingCount >= checksWaitingMax) {
      throw new AppError('too-many-requests', { retryAfterSeconds: 10 });
    }
    waitingCount += 1;
    await new Promise<void>((resolve) => waiting.set(who, [...own, resolve]));
  };
  const handOn = () => {
    const [first] = waiting;
    // The turn is handed on directly, so that a new caller cannot take it first.
    if (first === undefined) {
      running -= 1;
      return;
    }
    const [who, [next, ...others]] = first;
    waiting.delete(who);
    if (others.length > 0) waiting.set(who, others);
    waitingCount -= 1;
    next?.();
  };
  return async (who, work) => {
    if (running >= checksAtOnce) await enter(who);
    else running += 1;
    try {
      return await work();
    } finally {
      handOn();
    }
  };
}
