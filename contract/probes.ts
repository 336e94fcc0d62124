import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { jobRunSchema, removeModuleInput } from './library.ts';
import * as limits from './limits.ts';

/** A question and the page that answers it. */
const givenProbeSchema = z.object({
  question: z.string().trim().min(1, 'give a question').max(limits.probeQuestionCharactersMax),
  /** Address of the page in the module; a fragment is ignored. */
  address: z.string().trim().min(1, 'give the address of the page that answers').max(limits.urlCharactersMax),
});
export type GivenProbe = z.infer<typeof givenProbeSchema>;

export const probeSchema = givenProbeSchema.extend({
  /** `generated` from headings and index entries, or added by a `person`. */
  origin: z.enum(['person', 'generated']),
});
export type Probe = z.infer<typeof probeSchema>;

const probes = z.object({ probes: z.array(probeSchema) });

export const probeEndpoints = {
  listProbes: endpoint('GET /api/modules/:moduleId/probes', {
    summary: 'Lists the probe questions that compare a module’s new version with the served one.',
    access: 'anyone',
    keyRight: 'search',
    input: removeModuleInput,
    output: probes,
  }),
  setProbes: endpoint('PUT /api/modules/:moduleId/probes', {
    summary: 'Replaces the probe questions that users added to a module. Those generated from its headings stay.',
    input: removeModuleInput.extend({ probes: z.array(givenProbeSchema).max(limits.probesGivenMax) }),
    output: probes,
  }),
  acceptJob: endpoint('POST /api/jobs/:jobId/accept', {
    summary: 'Serves a version that was held back because it answers worse.',
    input: z.object({ jobId: z.string() }),
    output: z.object({ job: jobRunSchema }),
  }),
};
