import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { moduleIdSchema, visibilitySchema } from './library.ts';

/** State of a module's repository. */
export const repositorySchema = z.object({
  moduleId: z.string(),
  visibility: visibilitySchema,
  url: z.string(),
  /** Null for the repository's default branch. */
  ref: z.object({ kind: z.enum(['branch', 'tag']), name: z.string() }).nullable(),
  folder: z.string().nullable(),
  /** The last fetched commit's id. */
  revision: z.string().nullable(),
  /** When the branch or tag was last checked; null if not since it was added. */
  checkedAt: z.int().nullable(),
  nextCheckAt: z.int(),
  /** Why the last check, or the run it started, failed. */
  checkError: z.string().nullable(),
});
export type Repository = z.infer<typeof repositorySchema>;

/** Webhook to which a repository's host reports pushes, so that they are indexed immediately. */
export const repositoryWebhookSchema = z.object({
  url: z.string(),
  createdAt: z.int(),
  /** When the last event signed with its secret arrived; null if none has. */
  receivedAt: z.int().nullable(),
  /** The host's name for the event, such as `push` or `Push Hook`. */
  receivedEvent: z.string().nullable(),
});
export type RepositoryWebhook = z.infer<typeof repositoryWebhookSchema>;

const deliveryOutcomes = ['looked', 'elsewhere', 'ignored', 'repeated', 'refused'] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

const deliveryRefusals = ['unsigned', 'wrong-secret', 'late'] as const;
export type DeliveryRefusal = (typeof deliveryRefusals)[number];

/** A delivery from a repository's host, and its result. */
export const repositoryDeliverySchema = z.object({
  id: z.string(),
  /** Time of the most recent one, if `times` is more than 1. */
  at: z.int(),
  /** The host's name for the event; null if the delivery was refused before the event was read. */
  event: z.string().nullable(),
  /** Full name of the pushed ref, such as `refs/heads/main`. */
  ref: z.string().nullable(),
  /** `looked`: the repository was checked immediately. `elsewhere`: a push to another branch. `ignored`: not a push. */
  outcome: z.enum(deliveryOutcomes),
  /** Why it was refused; null otherwise. */
  reason: z.enum(deliveryRefusals).nullable(),
  /** Refusals for one reason within a minute are one entry. */
  times: z.int(),
});
export type RepositoryDelivery = z.infer<typeof repositoryDeliverySchema>;

/** The webhook of a module's repository and its last deliveries. */
export const repositoryTellingSchema = z.object({
  /** Null if none was created, or it was removed. */
  webhook: repositoryWebhookSchema.nullable(),
  /**
   * For repositories chosen from a connected account: true if the host reports pushes without a webhook of this module.
   * Null for others.
   */
  host: z.object({ isTold: z.boolean() }).nullable(),
  /** The most recent deliveries, newest first. */
  deliveries: z.array(repositoryDeliverySchema),
});
export type RepositoryTelling = z.infer<typeof repositoryTellingSchema>;

const namedModule = z.object({ moduleId: moduleIdSchema, visibility: visibilitySchema.optional() });

/** `git.example.org`, or with a port `git.example.org:2222`. */
const sshHost = z
  .string()
  .trim()
  .max(300)
  .regex(/^(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?$/, 'give a host, such as git.example.org:2222');

export const repositoryEndpoints = {
  listRepositories: endpoint('GET /api/repositories', {
    summary:
      'Lists the repositories behind the modules that you can read, with the fetched revision and the result of the last check.',
    output: z.object({ repositories: z.array(repositorySchema) }),
  }),
  getRepositoryWebhook: endpoint('GET /api/repositories/:moduleId/webhook', {
    summary:
      'Returns a repository’s webhook without its secret (null if there is none), and the results of its recent deliveries.',
    input: namedModule,
    output: repositoryTellingSchema,
  }),
  renewRepositoryWebhook: endpoint('POST /api/repositories/:moduleId/webhook', {
    summary:
      'Creates a webhook for GitLab, Gitea, Forgejo and hosts that sign like them, or a new secret for an existing one. The secret is shown once.',
    input: namedModule,
    output: z.object({ webhook: repositoryWebhookSchema, secret: z.string() }),
  }),
  removeRepositoryWebhook: endpoint('DELETE /api/repositories/:moduleId/webhook', {
    summary: 'Removes a repository’s webhook and its deliveries. Its secret stops working.',
    input: namedModule,
    output: z.object({
      /** False if there was none. */
      wasThere: z.boolean(),
    }),
  }),
  forgetHostKey: endpoint('DELETE /api/git-hosts/:host', {
    summary: 'Operator: deletes an SSH host’s stored key. The key that the host shows next is stored instead.',
    access: 'operator',
    input: z.object({ host: sshHost }),
    output: z.object({
      /** False if none was stored. */
      wasKnown: z.boolean(),
    }),
  }),
};
