import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { visibilitySchema } from './library.ts';

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
      'Repositories that modules you may read are made from: what was fetched, and how the last look at them went.',
    input: z.object({}),
    output: z.object({ repositories: z.array(repositorySchema) }),
  }),
  forgetHostKey: endpoint({
    method: 'DELETE',
    path: '/api/git-hosts/:host',
    summary: 'Operator: forgets the key a host of SSH was first known by; the key it shows next is kept in its place.',
    input: z.object({ host: sshHost }),
    output: z.object({
      /** False: none was kept. */
      wasKnown: z.boolean(),
    }),
  }),
};
