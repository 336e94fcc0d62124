import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { moduleIdSchema, visibilitySchema } from './library.ts';

/** What is known of the repository that a module is made from. */
export const repositorySchema = z.object({
  moduleId: z.string(),
  visibility: visibilitySchema,
  url: z.string(),
  /** Null: the branch that the repository calls its default. */
  ref: z.object({ kind: z.enum(['branch', 'tag']), name: z.string() }).nullable(),
  folder: z.string().nullable(),
  /** Id of the commit that was last fetched. */
  revision: z.string().nullable(),
  /** When the branch or tag was last looked at; null: not since it was added. */
  checkedAt: z.int().nullable(),
  nextCheckAt: z.int(),
  /** Why the last look, or the run it led to, came to nothing. */
  checkError: z.string().nullable(),
});
export type Repository = z.infer<typeof repositorySchema>;

/** Where the host of a repository tells pushes, so that they are searchable at once. */
export const repositoryWebhookSchema = z.object({
  url: z.string(),
  createdAt: z.int(),
  /** The last event that was made with its secret; null: none yet. */
  receivedAt: z.int().nullable(),
  /** As the host names it, such as `push` or `Push Hook`. */
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
  /** The last time, where `times` is more than 1. */
  at: z.int(),
  /** As the host names it; null where it was refused before that counts. */
  event: z.string().nullable(),
  /** The full name of what was pushed, such as `refs/heads/main`. */
  ref: z.string().nullable(),
  /** `looked`: the repository was looked at at once. `elsewhere`: a push of another branch. `ignored`: no push. */
  outcome: z.enum(deliveryOutcomes),
  /** Why it was refused; null otherwise. */
  reason: z.enum(deliveryRefusals).nullable(),
  /** Refusals for one reason within a minute are one entry. */
  times: z.int(),
});
export type RepositoryDelivery = z.infer<typeof repositoryDeliverySchema>;

/** The webhook of a module's repository and its last deliveries. */
export const repositoryTellingSchema = z.object({
  /** Null: none was made, or it was removed. */
  webhook: repositoryWebhookSchema.nullable(),
  /** Of a repository that was chosen from a connected account: whether its host tells pushes by itself. Null for others. */
  host: z.object({ isTold: z.boolean() }).nullable(),
  /** The last ones, the newest first. */
  deliveries: z.array(repositoryDeliverySchema),
});
export type RepositoryTelling = z.infer<typeof repositoryTellingSchema>;

const namedModule = z.object({ moduleId: moduleIdSchema, visibility: visibilitySchema.optional() });

/** `git.example.org`, or with its port `git.example.org:2222`. */
const sshHost = z
  .string()
  .trim()
  .max(300)
  .regex(/^(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?$/, 'give a host, such as git.example.org:2222');

export const repositoryEndpoints = {
  listRepositories: endpoint({
    method: 'GET',
    path: '/api/repositories',
    summary:
      'Lists the repositories behind the modules that you can read, with the fetched revision and the result of the last check.',
    input: z.object({}),
    output: z.object({ repositories: z.array(repositorySchema) }),
  }),
  getRepositoryWebhook: endpoint({
    method: 'GET',
    path: '/api/repositories/:moduleId/webhook',
    summary:
      'Returns a repository’s webhook without its secret (null if there is none), and the results of its recent deliveries.',
    input: namedModule,
    output: repositoryTellingSchema,
  }),
  renewRepositoryWebhook: endpoint({
    method: 'POST',
    path: '/api/repositories/:moduleId/webhook',
    summary:
      'Creates a webhook for GitLab, Gitea, Forgejo and hosts that sign like them, or a new secret for an existing one. The secret is shown once.',
    input: namedModule,
    output: z.object({ webhook: repositoryWebhookSchema, secret: z.string() }),
  }),
  removeRepositoryWebhook: endpoint({
    method: 'DELETE',
    path: '/api/repositories/:moduleId/webhook',
    summary: 'Removes a repository’s webhook and its deliveries. Its secret stops working.',
    input: namedModule,
    output: z.object({
      /** False: there was none. */
      wasThere: z.boolean(),
    }),
  }),
  forgetHostKey: endpoint({
    method: 'DELETE',
    path: '/api/git-hosts/:host',
    summary: 'Operator: deletes an SSH host’s stored key. The key that the host shows next is stored instead.',
    access: 'operator',
    input: z.object({ host: sshHost }),
    output: z.object({
      /** False: none was kept. */
      wasKnown: z.boolean(),
    }),
  }),
};
