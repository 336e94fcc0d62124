import { onTestFinished } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { measureStatus } from '#server/features/status/measure-status.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig } from './http-rig.ts';

/** Opens a server whose status is sampled on request, in addition to its own samples. */
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
      // The server's own first round may end later; after it, no rarely run check is due.
      await until('the first round is over', () => sampling.recent.has('secret'));
      cache.clear();
    },
    /** Indexes a site and returns its address. */
    indexPrivate: (moduleId: string) => index(moduleId, 'private'),
    indexPublic: (moduleId: string) => index(moduleId, 'public'),
  };
}

async function hasEnded(rig: HttpRig, jobId: string): Promise<boolean> {
  return (await rig.ask(libraryEndpoints.getJob, { jobId })).job.endTime !== null;
}
