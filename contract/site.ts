import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** All feature flags the product reads. */
export const flagNames = ['teams'] as const;
export type FlagName = (typeof flagNames)[number];

const link = z.url().nullable();

export const siteEndpoints = {
  getSite: endpoint('GET /api/site', {
    summary: 'Returns the external addresses that this installation’s pages link to, and the tag that counts sign-ups.',
    access: 'anyone',
    output: z.object({
      links: z.object({ docs: link, contact: link, source: link, bugReport: link, missingDocs: link }),
      /** True if sites can be indexed with their scripts run. */
      canRenderScripts: z.boolean(),
      /** True if searches and reads cost credits, and plans are sold. */
      areCreditsOn: z.boolean(),
      /** No mail server is set up: the operator hands out the links of mails. */
      mailIsOutbox: z.boolean(),
      /** `id` names the account and, after a slash, the event's label. `needsConsent`: only users who agreed are counted. */
      conversionTag: z.object({ url: z.url(), id: z.string(), needsConsent: z.boolean() }).nullable(),
    }),
  }),
  getFlags: endpoint('GET /api/flags', {
    summary: 'Returns the caller’s feature flags. A flag that can’t be read is off.',
    access: 'anyone',
    output: z.object({ isConnected: z.boolean(), flags: z.object({ teams: z.boolean() }) }),
  }),
  reportBrowserError: endpoint('POST /api/error-reports', {
    summary: 'Reports an error in a page. Some reports are dropped if there are many.',
    access: 'anyone',
    input: z.object({
      name: z.string().max(100),
      message: z.string().max(2_000),
      stack: z.string().max(10_000),
      /** Path of the page, without query. */
      path: z.string().max(2_000),
    }),
    output: z.object({}),
  }),
};
export type Site = z.infer<typeof siteEndpoints.getSite.output>;
