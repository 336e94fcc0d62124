import { libraryEndpoints } from '#contract/library.ts';
import { probeEndpoints } from '#contract/probes.ts';
import type { Flow } from './flow.ts';
import { index, pages, textsOf } from './library-flows.ts';
import { unless } from './people-flows.ts';
import type { Stage } from './stage.ts';

const accepted = 'accepted';
const changed = pages - 1;

/** Returns the version that is served completely; throws if it is a mixture of both, or neither. */
async function servedVersion(stage: Stage): Promise<'old' | 'new'> {
  const texts = await Promise.all(Array.from({ length: pages }, (_, at) => textsOf(stage, `page${at}`)));
  const { modules } = await stage.ask(stage.installation.operatorContext(), libraryEndpoints.listModules, {});
  const pageCount = modules.map((module) => module.pageCount).join();
  if (texts.every((text, at) => text.includes(`Original text ${at}`)) && pageCount === String(pages + 1)) return 'old';
  const isNew = texts.every((text, at) => (at === changed ? text.includes(`New text ${at}`) : text === ''));
  if (isNew && pageCount === '2') return 'new';
  throw new Error(`neither version: ${pageCount} pages, ${JSON.stringify(texts)}`);
}

/** A version that is held back for worse answers, and then accepted by a user. */
export const qualityFlow: Flow = {
  prepare: index,
  change(site) {
    for (let at = 0; at < changed; at += 1) site.faults.set(`page${at}`, 403);
    site.pages.set(`page${changed}`, `New text ${changed}`);
  },
  async work(stage, acknowledge, before) {
    let jobId = before.find((step) => step !== accepted);
    if (jobId === undefined) {
      await index(stage, (id) => {
        jobId = id;
        acknowledge(id);
      });
    }
    const operator = stage.installation.operatorContext();
    await stage.ask(operator, probeEndpoints.acceptJob, { jobId: jobId ?? '' }).catch(unless('job-not-held'));
    acknowledge(accepted);
  },
  async requireKept(stage, steps) {
    const version = await servedVersion(stage);
    const isAccepted = steps.includes(accepted);
    for (const jobId of steps.filter((step) => step !== accepted)) {
      const { job } = await stage.ask(stage.installation.operatorContext(), libraryEndpoints.getJob, { jobId });
      const found = `${job.status}${job.isHeld ? ', held' : ''}, ${version}`;
      const right = isAccepted ? ['COMPLETE, new'] : ['FAILED, held, old', 'COMPLETE, new'];
      if (!right.includes(found)) throw new Error(`the run is ${found}: ${job.error}`);
    }
    if (steps.length === 0 && version !== 'old') throw new Error('a version is served that nobody accepted');
  },
};
