import type { Client } from '@modelcontextprotocol/client';
import { askModel, type ChatEndpoint, type ChatMessage, type ChatTool, type ChatToolCall } from './chat-endpoint.ts';

/** A task for an agent, and how its answer is evaluated. */
export interface Task {
  id: string;
  prompt: string;
  /** The answer must contain a string of each of these lists, ignoring case. */
  mustContain: string[][];
  /** The answer must contain none of these. */
  mustNotContain?: string[];
}

export interface TaskOutcome {
  id: string;
  isPassed: boolean;
  /** Tokens of all turns: text sent again with each turn counts again, as it is billed. */
  inputTokens: number;
  outputTokens: number;
  turns: number;
  toolCalls: number;
  /** Why there is no answer. */
  fault?: string;
}

/** An agent without an answer after this many turns has failed. */
const turnsMax = 8;
const basics =
  'You are a coding agent. Solve the task and answer with the solution alone: code or the name, option or value that is asked for.';

/** A connected client's tools in the model's format, and the server's instructions. */
export interface Tools {
  client: Client;
  definitions: ChatTool[];
  instructions: string;
}

/** Returns the tools and instructions of a client. */
export async function toolsOf(client: Client): Promise<Tools> {
  const { tools } = await client.listTools();
  return {
    client,
    instructions: client.getInstructions() ?? '',
    definitions: tools.map(({ name, description = '', inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
  };
}

/** Lets the model do a task, with or without tools. Errors count as a failed task; never throws. */
export async function runTask(endpoint: ChatEndpoint, task: Task, tools: Tools | undefined): Promise<TaskOutcome> {
  const outcome: TaskOutcome = {
    ...{ id: task.id, isPassed: false, inputTokens: 0, outputTokens: 0, turns: 0, toolCalls: 0 },
  };
  const messages: ChatMessage[] = [
    { role: 'system', content: [basics, ...(tools === undefined ? [] : [tools.instructions])].join('\n\n') },
    { role: 'user', content: task.prompt },
  ];
  try {
    while (outcome.turns < turnsMax) {
      const turn = await askModel(endpoint, messages, tools?.definitions ?? []);
      outcome.turns += 1;
      outcome.inputTokens += turn.inputTokens;
      outcome.outputTokens += turn.outputTokens;
      if (turn.calls.length === 0) return { ...outcome, isPassed: isSolved(task, turn.text) };
      messages.push({ role: 'assistant', content: turn.text === '' ? null : turn.text, tool_calls: turn.calls });
      for (const call of turn.calls) {
        outcome.toolCalls += 1;
        messages.push({ role: 'tool', tool_call_id: call.id, content: await resultOf(call, tools) });
      }
    }
    return { ...outcome, fault: `no answer within ${turnsMax} turns` };
  } catch (error) {
    return { ...outcome, fault: error instanceof Error ? error.message : String(error) };
  }
}

export function isSolved({ mustContain, mustNotContain = [] }: Task, answer: string): boolean {
  const has = (wanted: string) => answer.toLowerCase().includes(wanted.toLowerCase());
  return mustContain.every((any) => any.some(has)) && !mustNotContain.some(has);
}

/** Returns a tool call's result; an invalid call is reported to the model, as its client would do. */
async function resultOf(call: ChatToolCall, tools: Tools | undefined): Promise<string> {
  if (tools === undefined) return 'Tool not found.';
  try {
    const values = JSON.parse(call.function.arguments) as Record<string, unknown>;
    const result = await tools.client.callTool({ name: call.function.name, arguments: values });
    return (result.content as { type: string; text?: string }[]).map(({ text = '' }) => text).join('\n');
  } catch (error) {
    return `The call failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}
