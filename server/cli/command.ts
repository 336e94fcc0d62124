import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import type { Config } from '#server/platform/config/config.ts';
import { type CommandShape, flag, type OptionValues } from './usage.ts';

/** The input of a command. */
export interface Invocation {
  values: OptionValues;
  positionals: string[];
  config: Config;
  /** Folder in which the command was typed; relative paths in its arguments start here. */
  workingFolder: string;
  /** Address of the named server; undefined for this machine's data folder. */
  server: string | undefined;
  /**
   * Calls endpoints of the named server; otherwise of the data folder, through its running server or in this process,
   * and closes everything afterwards. `isExclusive`: the work makes changes, so no other process may hold the folder.
   */
  withCall<T>(options: { isExclusive: boolean }, work: (call: Call) => Promise<T>): Promise<T>;
}

export interface Command {
  shape: CommandShape;
  /** Returns the exit code. */
  run(invocation: Invocation): Promise<number>;
}

export const exitCodes = { done: 0, failed: 1, misused: 2, interrupted: 130, unread: 141 } as const;

/**
 * Creates a command that calls one endpoint and prints its response: with `--json` the value from `json`, otherwise the
 * text from `print`. `isExclusive` as in `withCall`.
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

/** Prints one JSON document, and nothing else, on standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line for people that must not end up in a pipe. */
export function printNote(line: string): void {
  process.stderr.write(`${line}\n`);
}

export const jsonOption = { json: { type: 'boolean', help: 'print one JSON document' } } as const;

/** Calls an endpoint as the operator: over HTTP if a server runs on the data folder, otherwise in this process. */
export type Call = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>;
