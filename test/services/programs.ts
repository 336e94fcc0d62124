import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { ordinaryUser } from './postgres.ts';

const started: ChildProcess[] = [];

// Runs for each test file that imports this one: a failed test leaves no program behind.
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** A TypeScript program from `test/` running as a separate process that prints lines of JSON. */
export interface Program {
  process: ChildProcess;
  /** Returns the next line, parsed; undefined once the program has ended. */
  nextAnswer(): Promise<unknown>;
  /** Returns all further lines once the program has ended by itself. */
  rest(): Promise<unknown[]>;
  /** Kills it like a power cut, and waits until it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts a program by its path below `test/`, with the input as one JSON argument. `asOrdinaryUser` makes file
 * permissions apply to a test that runs as root.
 */
export async function startProgram(
  path: string,
  input: unknown,
  options?: { asOrdinaryUser: boolean },
): Promise<Program> {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const user = options?.asOrdinaryUser ? await ordinaryUser() : undefined;
  const child = spawn(process.execPath, [file, JSON.stringify(input)], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit');
  const nextAnswer = async () => {
    const { done, value } = await lines.next();
    return done ? undefined : JSON.parse(value);
  };
  return {
    process: child,
    nextAnswer,
    async rest() {
      const answers: unknown[] = [];
      for (let answer = await nextAnswer(); answer !== undefined; answer = await nextAnswer()) answers.push(answer);
      await ended;
      return answers;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
