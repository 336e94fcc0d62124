import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { jobRunSchema, sourceKindSchema } from './library.ts';

export const indexRequestStates = ['pending', 'approved', 'declined', 'expired'] as const;
export type IndexRequestState = (typeof indexRequestStates)[number];

/** An agent's request to have a source indexed. */
export const indexRequestSchema = z.object({
  id: z.string(),
  /** The full address, with a repository's branch and folder. */
  address: z.string(),
  kind: sourceKindSchema,
  moduleId: z.string(),
  library: z.string().nullable(),
  version: z.string().nullable(),
  state: z.enum(indexRequestStates),
  /** Name of the key or application that asked, and of its owner. */
  askedBy: z.string(),
  askedFor: z.string(),
  askedAt: z.int(),
  /** When the request expires. */
  expiresAt: z.int(),
  /** Who answered it; null if not answered yet, or if that account was deleted. */
  answeredBy: z.string().nullable(),
  answeredAt: z.int().nullable(),
  /** The run that the approval started. */
  jobId: z.string().nullable(),
});
export type IndexRequest = z.infer<typeof indexRequestSchema>;

const requestId = z.object({ requestId: z.string().max(100) });

export const indexRequestEndpoints = {
  listIndexRequests: endpoint('GET /api/index-requests', {
    summary: 'Lists agents’ requests for sources in the current workspace, newest first, at most 100.',
    output: z.object({ requests: z.array(indexRequestSchema) }),
  }),
  approveIndexRequest: endpoint('POST /api/index-requests/:requestId/approve', {
    summary: 'Approves an agent’s request and starts indexing the source.',
    right: 'sources.write',
    input: requestId,
    output: z.object({ request: indexRequestSchema, job: jobRunSchema }),
  }),
  declineIndexRequest: endpoint('POST /api/index-requests/:requestId/decline', {
    summary: 'Declines an agent’s request. The same source can’t be requested again for 24 hours.',
    right: 'sources.write',
    input: requestId,
    output: z.object({ request: indexRequestSchema }),
  }),
};
