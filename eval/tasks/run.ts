import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ChatEndpoint } from './chat-endpoint.ts';
import { compareRuns, type TaskReport } from './report.ts';
import { runTask, type Task, type TaskOutcome, toolsOf } from './run-task.ts';

const help = `Usage: lectern eval-tasks --server URL --key KEY --model-url URL --model NAME [options]

Has a model do a set of tasks twice, without tools and with those of a running server, and reports how many it solved
and what that took. Fewer tokens with fewer tasks solved is a loss: it ends with 1 then, and with 2 when no task had an answer.

  --server URL       address of an installation whose index has what the tasks are about
  --key KEY          an API key of it
  --model-url URL    an endpoint with OpenAI's chat completions, such as http://127.0.0.1:11434/v1
  --model NAME       the model
  --model-key KEY    its key, where it wants one
  --tasks FILE       one task a line (default: a few of our own about this project)
  --json FILE        write the outcome of each task
  --help             show this text
`;

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ server: text, key: text, 'model-url': text, model: text, 'model-key': text, tasks: text, json: text },
    help: { type: 'boolean' },
  },
});

if (values.help) process.stdout.write(help);
else process.exitCode = await runTasks();

async function runTasks(): Promise<number> {
  const { server, key, model, 'model-url': url, 'model-key': modelKey } = values;
  if (server === undefined || key === undefined || model === undefined || url === undefined) {
    process.stderr.write(`Name a server, a key, a model and its address.\n\n${help}`);
    return 2;
  }
  const endpoint: ChatEndpoint = { url: url.replace(/\/$/, ''), model, key: modelKey };
  const tasks = readTasks(values.tasks ?? fileURLToPath(new URL('own.jsonl', import.meta.url)));
  const without: TaskOutcome[] = [];
  const withTools: TaskOutcome[] = [];
  for (const task of tasks) {
    without.push(await runTask(endpoint, task, undefined));
    withTools.push(await runWithTools(endpoint, task, { server, key }));
  }
  const report = compareRuns(without, withTools);
  process.stdout.write(report.text);
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify(report satisfies TaskReport, null, 2)}\n`);
  return report.exitCode;
}

/** Uses a new session for each task, so that passages sent in one are not left out in another. */
async function runWithTools(
  endpoint: ChatEndpoint,
  task: Task,
  { server, key }: { server: string; key: string },
): Promise<TaskOutcome> {
  const client = new Client({ name: 'lectern-tasks', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server), { requestInit }));
  try {
    return await runTask(endpoint, task, await toolsOf(client));
  } finally {
    await client.close();
  }
}

function readTasks(file: string): Task[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Task);
}
