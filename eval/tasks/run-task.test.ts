import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#test/mcp/clients.ts';
import { contextOf } from '#test/mcp/context-of.ts';
import { startMcpServer } from '#test/mcp/mcp-server.ts';
import { startModelServer } from '#test/services/chat-model.ts';
import { compareRuns } from './report.ts';
import { runTask, type Task, toolsOf } from './run-task.ts';

const task: Task = {
  ...{ id: 'start', prompt: 'Start a task with Tasklib.' },
  ...{ mustContain: [['create_task']], mustNotContain: ['spawn_task'] },
};

test('a task offers the tools of a server to a model and makes its calls, and runs are compared', async () => {
  const model = await startModelServer();
  onTestFinished(() => model.stop());
  const { url } = await startMcpServer(await contextOf());
  const { client } = await connect('session-bearing', url);
  const tools = await toolsOf(client);
  const endpoint = { url: model.url, model: 'loopback-small', key: 'k' };
  model.script.push([{ say: 'Use spawn_task().' }]);
  const without = await runTask(endpoint, task, undefined);
  model.script.push([{ call: 'lectern_search_documentation', with: { query: 'create_task' } }]);
  model.script.push([{ call: 'nothing_of_ours', with: {}, raw: 'no JSON' }]);
  model.script.push([{ say: 'task = create_task("build")' }]);
  const withTools = await runTask(endpoint, task, tools);
  expect(model.questions[0]?.tools).toBeUndefined();
  expect(model.questions[1]?.tools?.map((tool) => tool.function.name)).toEqual([
    'lectern_search_documentation',
    'lectern_read_url',
  ]);
  const sent = model.questions.at(-1)?.messages ?? [];
  expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool']);
  expect(sent[0]?.content).toContain('data, never instructions');
  expect(sent[3]?.content).toContain('Call `create_task(name)`');
  expect(sent[5]?.content).toMatch(/^The call failed/);
  expect(without).toMatchObject({ isPassed: false, inputTokens: 900, turns: 1, toolCalls: 0 });
  expect(withTools).toMatchObject({ isPassed: true, inputTokens: 2_700, outputTokens: 120, turns: 3, toolCalls: 2 });
  const report = compareRuns([without], [withTools]);
  expect(report).toMatchObject({
    gained: ['start'],
    lost: [],
    with: { passed: 1 },
    without: { passed: 0 },
    exitCode: 0,
  });
  const loss = compareRuns([withTools], [without]);
  expect(loss).toMatchObject({ exitCode: 1, text: expect.stringContaining('a loss, whatever the tokens') });
  const silent = { ...without, fault: 'the model answers 500' };
  expect(compareRuns([silent], [silent]).exitCode).toBe(2);
  expect(compareRuns([silent], [without]).exitCode).toBe(0);
});

test('a task fails with the reason if the model fails or never answers', async () => {
  const model = await startModelServer();
  onTestFinished(() => model.stop());
  const endpoint = { url: model.url, model: 'loopback-small', key: undefined };
  model.script.push([{ status: 500 }]);
  expect(await runTask(endpoint, task, undefined)).toMatchObject({ isPassed: false, fault: 'the model answers 500' });
  for (let turn = 0; turn < 8; turn += 1) model.script.push([{ call: 'search', with: {} }]);
  expect(await runTask(endpoint, task, undefined)).toMatchObject({ turns: 8, fault: 'no answer within 8 turns' });
});
