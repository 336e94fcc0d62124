import type { Page } from 'playwright-core';
import { sentenceOf } from '#contract/errors.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { probeEndpoints } from '#contract/probes.ts';
import { answerWith, someJob, someModule } from './answers.ts';

/** Mocks a source whose new version was held back, and its questions. */
export async function answerHeldSource(page: Page): Promise<void> {
  const module = someModule();
  const address = (path: string) => `https://docs.python.org/3/${path}`;
  const missed = [
    { question: 'Running an asyncio Program Runners', address: address('library/asyncio-runner.html') },
    { question: 'create_task', address: address('library/asyncio-task.html') },
  ];
  const quality = {
    probes: 31,
    before: { answered: 31, tokens: 9_120 },
    after: { answered: 19, tokens: 20_480 },
    missed,
  };
  const values = { probes: '31', before: '31', after: '19', share: '73%' };
  const job = someJob({ status: 'FAILED', isHeld: true, quality, error: sentenceOf('quality-lowered', values) });
  await answerWith(page, libraryEndpoints.listModules, { modules: [module] });
  await answerWith(page, libraryEndpoints.listJobs, { jobs: [job] });
  await answerWith(page, probeEndpoints.listProbes, {
    probes: [
      {
        question: 'How do I cancel a task and wait for it?',
        address: address('library/asyncio-task.html'),
        origin: 'person',
      },
      ...missed.map((probe) => ({ ...probe, origin: 'generated' as const })),
    ],
  });
}
