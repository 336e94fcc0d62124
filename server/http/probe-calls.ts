import { probeEndpoints } from '#contract/probes.ts';
import { acceptJob, type LibraryNotices, listProbes, setProbes } from '#server/features/library/index.ts';
import { type Call, call } from './call-table.ts';

/** Questions that modules have to answer, and versions that were held back because they answer them worse. */
export function probeCalls({ notices }: { notices: LibraryNotices }): Call[] {
  return [
    call(probeEndpoints.listProbes, async (ctx, input) => ({ probes: await listProbes(ctx, input) })),
    call(probeEndpoints.setProbes, async (ctx, input) => ({ probes: await setProbes(ctx, input) })),
    call(probeEndpoints.acceptJob, async (ctx, input) => ({ job: await acceptJob(ctx, input, notices) })),
  ];
}
