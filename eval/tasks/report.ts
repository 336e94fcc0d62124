import type { TaskOutcome } from './run-task.ts';

interface Side {
  passed: number;
  tasks: number;
  inputTokens: number;
  outputTokens: number;
  toolCalls: number;
}

export interface TaskReport {
  without: Side;
  with: Side;
  /** Tasks solved only with tools, and only without them. */
  gained: string[];
  lost: string[];
  outcomes: { without: TaskOutcome; with: TaskOutcome }[];
  /** 1: fewer tasks solved with tools. 2: no task had an answer, so nothing was compared. */
  exitCode: 0 | 1 | 2;
  text: string;
}

/** Compares both runs over the same tasks. */
export function compareRuns(without: TaskOutcome[], withTools: TaskOutcome[]): TaskReport {
  const sides = { without: sideOf(without), with: sideOf(withTools) };
  const pairs = without.flatMap((outcome, at) => {
    const other = withTools[at];
    return other === undefined ? [] : [{ without: outcome, with: other }];
  });
  const gained = pairs.filter((pair) => pair.with.isPassed && !pair.without.isPassed).map((pair) => pair.with.id);
  const lost = pairs.filter((pair) => !pair.with.isPassed && pair.without.isPassed).map((pair) => pair.with.id);
  const faults = [...without, ...withTools].flatMap(({ id, fault }) =>
    fault === undefined ? [] : [`${id}: ${fault}`],
  );
  const isLoss = sides.with.passed < sides.without.passed;
  const isUnanswered = faults.length === without.length + withTools.length;
  const lines = [
    lineOf('without tools', sides.without),
    lineOf('with tools', sides.with),
    `solved with tools alone: ${gained.join(', ') || 'none'}; without them alone: ${lost.join(', ') || 'none'}`,
    ...(isLoss ? ['fewer tasks solved with tools: a loss, whatever the tokens'] : []),
    ...faults.map((fault) => `no answer: ${fault}`),
  ];
  const exitCode = isUnanswered ? 2 : isLoss ? 1 : 0;
  return { ...sides, gained, lost, outcomes: pairs, exitCode, text: `${lines.join('\n')}\n` };
}

function sideOf(outcomes: TaskOutcome[]): Side {
  const sum = (read: (outcome: TaskOutcome) => number) => outcomes.reduce((total, one) => total + read(one), 0);
  return {
    passed: sum(({ isPassed }) => Number(isPassed)),
    tasks: outcomes.length,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    toolCalls: sum(({ toolCalls }) => toolCalls),
  };
}

function lineOf(name: string, { passed, tasks, inputTokens, outputTokens, toolCalls }: Side): string {
  const rate = tasks === 0 ? 0 : Math.round((passed / tasks) * 100);
  return `${name.padEnd(14)} ${passed} of ${tasks} solved (${rate} %), ${inputTokens} tokens in, ${outputTokens} out, ${toolCalls} calls of tools`;
}
