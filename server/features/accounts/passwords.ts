import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import { networkOf } from './rate-limits.ts';

/** How costly one check is; stored with each hash, so that it can grow later. */
export interface ScryptCost {
  /** Memory and time; a power of two. */
  n: number;
  blockSize: number;
  passes: number;
}

/**
 * One of the equivalent settings of OWASP's password storage cheat sheet: 32 MiB and about a quarter of a second. The
 * one with 128 MiB would let four sign-ins at once take half a gigabyte.
 */
export const scryptCost: ScryptCost = { n: 2 ** 15, blockSize: 8, passes: 3 };

// Hashing runs on the four threads that files and name look-ups need too.
const checksAtOnce = 2;
const checksWaitingMax = 64;
/** Of one network: about four seconds of work, and room for others beside it. */
const checksWaitingOfOneMax = 16;
const saltBytes = 16;
const hashBytes = 32;

/** `who`: the network address or the person that the work is for. */
export interface Passwords {
  /** What is stored of a password. */
  hash(password: string, who: string): Promise<string>;
  /** Whether the password is the one of the stored hash. Works as long, and is false, when there is none. */
  isRight(password: string, stored: string | undefined, who: string): Promise<boolean>;
  /** Whether a stored hash is cheaper than what is made now. */
  isOutdated(stored: string): boolean;
}

/** Refuses an empty and a too short password; counts characters, not bytes. */
export function requireNewPassword(password: string): void {
  if (password === '') throw new AppError('missing-password');
  if ([...normalize(password)].length < limits.passwordCharactersMin) throw new AppError('weak-password');
}

/**
 * Hashes and checks passwords, two at a time. Networks take turns, so that one that signs in without end delays no other; when too
 * many of one wait, or of all, more are refused with `too-many-requests`. Text is compared in Unicode form NFKC (NIST SP 800-63B), so that keyboards that compose characters differently agree.
 */
export function createPasswords(cost: ScryptCost = scryptCost): Passwords {
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
  // Twice what the algorithm needs, since Node counts a little more.
  const options = { N: n, r: blockSize, p: passes, maxmem: 2 * 128 * n * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(normalize(password), salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function createTurns(): <T>(who: string, work: () => Promise<T>) => Promise<T> {
  /** In the order of their turns. */
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
    // The turn is handed on, so that no one who comes now can take it first.
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
