import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import type { Config } from '#server/platform/config/config.ts';
import { type CommandShape, flag, type OptionValues } from './usage.ts';

/** What a command gets to work with. */
export interface Invocation {
  values: OptionValues;
  positionals: string[];
  config: Config;
  /** Folder the command was typed in: relative paths of its arguments begin here. */
  workingFolder: string;
  /** Address of the server that was named; undefined for the data folder of this machine. */
  server: string | undefined;
  /**
   * Reaches the endpoints of the server that was named; else of the data folder, through the server that runs on it or in
   * this process, and lets go of it afterwards. `isExclusive`: the work changes something, so no one else may hold the folder.
   */
  withCall<T>(options: { isExclusive: boolean }, work: (call: Call) => Promise<T>): Promise<T>;
}

export interface Command {
  shape: CommandShape;
  /** Answers the exit code. */
  run(invocation: Invocation): Promise<number>;
}

export const exitCodes = { done: 0, failed: 1, misused: 2, interrupted: 130, unread: 141 } as const;

/**
 * Returns a command that calls one endpoint and prints its response: with `--json` what `json` takes of it, else what `print`
 * writes for people. `isExclusive` as of `withCall`.
 */
export function calling<E extends Endpoint>(
  endpoint: E,
  {
    shape,
    isExclusive = false,
    inputOf,
    json = (output) => output,
    print,
  }: {
    shape: CommandShape;
    isExclusive?: boolean;
    inputOf(invocation: Invocation): InputOf<E>;
    json?(output: OutputOf<E>): unknown;
    print(output: OutputOf<E>, invocation: Invocation): void;
  },
): Command {
  return {
    shape,
    async run(invocation) {
      const input = inputOf(invocation);
      const output = await invocation.withCall({ isExclusive }, (call) => call(endpoint, input));
      if (flag(invocation.values, 'json')) printJson(json(output));
      else print(output, invocation);
      return exitCodes.done;
    },
  };
}

/** One JSON document, and nothing else, on standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** For people: what must not end up in a pipe. */
export function printNote(line: string): void {
  process.stderr.write(`${line}\n`);
}

export const jsonOption = { json: { type: 'boolean', help: 'print one JSON document' } } as const;

/** Asks an endpoint as the operator: over HTTP when a server runs on the data folder, else in this process. */
export type Call = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>;
