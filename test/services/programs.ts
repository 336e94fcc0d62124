import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { ordinaryUser } from './postgres.ts';

const started: ChildProcess[] = [];

// Runs for each test file that imports this one: a test that failed leaves no program behind.
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** A TypeScript program of `test/` running as a process of its own, answering in lines of JSON. */
export interface Program {
  process: ChildProcess;
  /** The next line it prints, parsed; undefined when it has ended. */
  nextAnswer(): Promise<unknown>;
  /** Resolves to all further answers when it has ended by itself. */
  rest(): Promise<unknown[]>;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts a program named by its path below `test/`, giving it the input as one JSON argument. `asOrdinaryUser` lets a
 * test that runs as root meet file permissions.
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
