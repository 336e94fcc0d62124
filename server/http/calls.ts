import { connectionEndpoints } from '#contract/connections.ts';
import { searchEndpoints } from '#contract/search.ts';
import {
  answerConsent,
  type ConsentParts,
  describeConsent,
  listConnections,
  revokeConnection,
} from '#server/features/connections/index.ts';
import type { HostingDependencies } from '#server/features/hosting/index.ts';
import type { Search } from '#server/features/search/index.ts';
import type { CredentialDependencies } from '#server/features/source-credentials/index.ts';
import { type BillingCallDependencies, billingCalls } from './billing-calls.ts';
import { type Call, call } from './call-table.ts';
import { creditCalls } from './credit-calls.ts';
import { hostingCalls } from './hosting-calls.ts';
import { accountCalls, type IdentityCallDependencies, identityCalls, outboxCalls } from './identity-calls.ts';
import { type KeyCallDependencies, keyCalls } from './key-calls.ts';
import { type LibraryCallDependencies, libraryCalls } from './library-calls.ts';
import { type PdfSetCallDependencies, pdfSetCalls } from './pdf-set-calls.ts';
import { repositoryCalls } from './repository-calls.ts';
import { type SignOnCallDependencies, signOnCalls } from './sign-on-calls.ts';
import { type SiteCallDependencies, siteCalls } from './site-calls.ts';
import { sourceCredentialCalls } from './source-credential-calls.ts';
import { type TeamCallDependencies, teamCalls } from './team-calls.ts';

export interface CallDependencies
  extends IdentityCallDependencies,
    KeyCallDependencies,
    ConsentParts,
    TeamCallDependencies,
    BillingCallDependencies,
    SiteCallDependencies,
    SignOnCallDependencies,
    PdfSetCallDependencies,
    CredentialDependencies,
    LibraryCallDependencies {
  hosting: HostingDependencies;
  search: Search;
}

/** Who answers what: every endpoint of the contract with its verb. */
export function createCalls(deps: CallDependencies): Call[] {
  return [
    ...accountCalls(deps),
    ...identityCalls(deps),
    ...outboxCalls(deps),
    ...teamCalls(deps),
    ...signOnCalls(deps),
    ...keyCalls(deps),
    ...connectionCalls(deps),
    ...libraryCalls(deps),
    ...sourceCredentialCalls(deps),
    ...pdfSetCalls(deps),
    ...repositoryCalls(),
    ...searchCalls(deps),
    ...creditCalls(),
    ...billingCalls(deps),
    ...hostingCalls(deps),
    ...siteCalls(deps),
  ];
}

function connectionCalls(parts: ConsentParts): Call[] {
  return [
    call(connectionEndpoints.describeConsent, (ctx, input) => describeConsent(ctx, input, parts)),
    call(connectionEndpoints.answerConsent, (ctx, input) => answerConsent(ctx, input, parts)),
    call(connectionEndpoints.listConnections, async (ctx) => ({ connections: await listConnections(ctx) })),
    call(connectionEndpoints.revokeConnection, async (ctx, input) => {
      await revokeConnection(ctx, input);
      return {};
    }),
  ];
}

function searchCalls({ search }: CallDependencies): Call[] {
  return [
    call(searchEndpoints.search, (ctx, { isDraft, ...input }) =>
      isDraft === true ? search.previewSearch(ctx, input) : search.searchDocs(ctx, input, undefined),
    ),
    call(searchEndpoints.read, (ctx, input) => search.readUrl(ctx, input, undefined)),
  ];
}
