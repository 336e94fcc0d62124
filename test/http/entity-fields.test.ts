import { expect, test } from 'vitest';
import type { z } from 'zod';
import { sessionUserSchema } from '#contract/accounts.ts';
import { billingSchema } from '#contract/billing.ts';
import { creditInfoSchema, creditTransactionSchema, monthlyUsageSchema } from '#contract/credits.ts';
import { apiKeySchema } from '#contract/keys.ts';
import { jobRunSchema, privateIndexSchema } from '#contract/library.ts';
import { pdfSetSchema } from '#contract/pdf-sets.ts';
import { membershipSchema, teamSchema } from '#contract/teams.ts';

/** Each entity's fields, and the schemas of live queries that contain them; `renamed` maps names that differ there. */
const entities: Record<string, { fields: string; read: z.ZodObject[]; renamed?: Record<string, string> }> = {
  user: {
    fields: `uid email displayName photoURL credits monthlyAllowance tier customerId subscriptionId subscriptionStatus
      subscriptionStartDate subscriptionEndDate createdAt`,
    read: [sessionUserSchema, creditInfoSchema, billingSchema],
    renamed: { credits: 'purchasedCredits' },
  },
  'API key': {
    fields: 'id userId teamId name key createdAt lastUsed isActive',
    read: [apiKeySchema],
    // The key itself is revealed one at a time, which the audit log records.
    renamed: { key: 'maskedKey' },
  },
  'monthly usage': { fields: 'userId year month day creditsUsed', read: [monthlyUsageSchema] },
  'credit info': {
    fields: 'purchasedCredits monthlyAllowance monthlyCreditsUsed monthlyCreditsRemaining totalCreditsAvailable',
    read: [creditInfoSchema],
  },
  'job run': {
    fields: `uid teamId executionId startTime endTime status url displayName stackName error moduleId docsCount
      startedByUserId`,
    read: [jobRunSchema],
  },
  'PDF set': {
    fields: `setId uid displayName gcsFolder bucketName pdfFiles totalFiles totalSizeBytes status uploadedAt lastIndexedAt
      totalDocs indexedPages language indexId moduleId stackName lastError errorCount`,
    read: [pdfSetSchema],
  },
  team: {
    fields: `teamId name createdAt createdBy memberIds tier credits monthlyAllowance numberOfPaidSeats subscriptionId
      subscriptionStatus discountCode discountAmount subscriptionStartDate subscriptionEndDate`,
    read: [teamSchema],
  },
  'team membership': {
    fields: `membershipId teamId userId role state joinedAt acceptedAt declinedAt inviteInfo email hasPaidSeat accountCredits
      lastInviteSentAt`,
    read: [membershipSchema],
  },
  'private index': {
    fields: 'uid teamId indexId stackName createdAt updatedAt totalDocs modules',
    read: [privateIndexSchema],
  },
  'credit transaction': {
    fields: 'id userId teamId amount userAccountAmount source isFromMonthlyAllowance timestamp details metadata',
    read: [creditTransactionSchema],
  },
};

test.each(Object.entries(entities))('each field of a %s is in a response', (_, { fields, read, renamed = {} }) => {
  const answered = new Set(read.flatMap(({ shape }) => Object.keys(shape)));
  const missing = fields.split(/\s+/).filter((field) => !answered.has(renamed[field] ?? field));
  expect(missing).toEqual([]);
});
