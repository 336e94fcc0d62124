import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { socialProviders } from './identity.ts';

export const accountDetailEndpoints = {
  exportPersonalData: endpoint({
    method: 'GET',
    path: '/api/identity/export',
    summary: 'Everything that is kept of you, as a JSON file; secrets are left out.',
    input: z.object({}),
    output: z.string(),
    attachment: { mediaType: 'application/json; charset=utf-8', fileName: 'account.json' },
  }),
  getAccountDetails: endpoint({
    method: 'GET',
    path: '/api/identity/details',
    summary: 'What only the account screen shows: the consent to updates and the connected sign-in methods.',
    input: z.object({}),
    output: z.object({
      hasMarketingConsent: z.boolean(),
      providers: z.array(z.object({ provider: z.enum(socialProviders), connectedAt: z.int() })),
    }),
  }),
};
