import { onTestFinished } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { measureStatus } from '#server/features/status/index.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig } from './http-rig.ts';

/** A server whose status is sampled when the test says so, beside what it does by itself. */
export async function cleanRig(environment: Record<string, string> = {}) {
  const site = await startSampleSite(1);
  onTestFinished(() => site.close());
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host, ...environment });
  const { features, operatorContext } = rig.running.installation;
  const { sampling, cache } = features.status.needs;
  const index = async (moduleId: string, visibility: 'public' | 'private') => {
    const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source: site.url, moduleId, visibility });
    await until('it is indexed', () => hasEnded(rig, job.id));
    return site.url;
  };
  return {
    rig,
    async sample() {
      await measureStatus(operatorContext(), sampling);
      // The server's own first round leaves nothing due that is rarely looked at, and may end later.
      await until('the first round is over', () => sampling.recent.has('secret'));
      cache.clear();
    },
    /** Answers the address it was made from. */
    indexPrivate: (moduleId: string) => index(moduleId, 'private'),
    indexPublic: (moduleId: string) => index(moduleId, 'public'),
  };
}

async function hasEnded(rig: HttpRig, jobId: string): Promise<boolean> {
  return (await rig.ask(libraryEndpoints.getJob, { jobId })).job.endTime !== null;
}
