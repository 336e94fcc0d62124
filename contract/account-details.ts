import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { socialProviders } from './identity.ts';

export const accountDetailEndpoints = {
  exportPersonalData: endpoint('GET /api/identity/export', {
    summary: 'Returns all data stored about you as a JSON file, without secrets; lists in `incomplete` are cut.',
    output: z.custom<AsyncIterable<Uint8Array>>(),
    attachment: { mediaType: 'application/json; charset=utf-8', fileName: 'account.json' },
  }),
  getAccountDetails: endpoint('GET /api/identity/details', {
    summary: 'Returns your consent to updates and your connected sign-in methods.',
    output: z.object({
      hasMarketingConsent: z.boolean(),
      providers: z.array(z.object({ provider: z.enum(socialProviders), connectedAt: z.int() })),
    }),
  }),
};
