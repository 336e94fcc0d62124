import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const outboxMailSchema = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  sentAt: z.int(),
});

/** Emails that were stored instead of sent because no mail server is configured. */
export const outboxEndpoints = {
  listOutbox: endpoint('GET /api/outbox', {
    summary: 'Operator: lists the newest 100 emails in the outbox, newest first.',
    access: 'operator',
    output: z.object({ mails: z.array(outboxMailSchema) }),
  }),
  readOutboxMail: endpoint('GET /api/outbox/:mailId', {
    summary: 'Operator: returns one email from the outbox.',
    access: 'operator',
    input: z.object({ mailId: z.string() }),
    output: z.object({
      mail: outboxMailSchema.extend({ from: z.string(), text: z.string(), html: z.string().nullable() }),
    }),
  }),
};
