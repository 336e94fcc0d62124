import { connectionEndpoints } from '#contract/connections.ts';
import { liveEndpoints } from '#contract/live.ts';
import { searchEndpoints } from '#contract/search.ts';
import { trySearchEndpoints } from '#contract/try-search.ts';
import { requireWithinRate } from '#server/features/accounts/index.ts';
import {
  answerConsent,
  type ConsentParts,
  describeConsent,
  listConnections,
  revokeConnection,
} from '#server/features/connections/index.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { HostingDependencies } from '#server/features/hosting/index.ts';
import type { ProfileDependencies } from '#server/features/profile/index.ts';
import type { Search } from '#server/features/search/index.ts';
import type { CredentialDependencies } from '#server/features/source-credentials/index.ts';
import { type BillingCallDependencies, billingCalls } from './billing-calls.ts';
import { type Call, call } from './call-table.ts';
import { type ChatCallDependencies, chatCalls } from './chat-calls.ts';
import { type ConfCallDependencies, confCalls } from './conf-calls.ts';
import { type CreditCallDependencies, creditCalls } from './credit-calls.ts';
import { documentCalls } from './document-calls.ts';
import { hostingCalls } from './hosting-calls.ts';
import { accountCalls, type IdentityCallDependencies, identityCalls, outboxCalls } from './identity-calls.ts';
import { indexRequestCalls } from './index-request-calls.ts';
import { type KeyCallDependencies, keyCalls } from './key-calls.ts';
import { type LibraryCallDependencies, libraryCalls } from './library-calls.ts';
import { type PdfSetCallDependencies, pdfSetCalls } from './pdf-set-calls.ts';
import { type PersonalDataCallDependencies, personalDataCalls } from './personal-data-calls.ts';
import { probeCalls } from './probe-calls.ts';
import { type ProductDocsCallDependencies, productDocsCalls } from './product-docs-calls.ts';
import { profileCalls } from './profile-calls.ts';
import { repositoryCalls } from './repository-calls.ts';
import { type SignOnCallDependencies, signOnCalls } from './sign-on-calls.ts';
import { type SiteCallDependencies, siteCalls } from './site-calls.ts';
import { sourceCredentialCalls } from './source-credential-calls.ts';
import { type StatusCallDependencies, statusCalls } from './status-calls.ts';
import { type TeamCallDependencies, teamCalls } from './team-calls.ts';

export interface CallDependencies
  extends IdentityCallDependencies,
    KeyCallDependencies,
    ConsentParts,
    TeamCallDependencies,
    BillingCallDependencies,
    SiteCallDependencies,
    ConfCallDependencies,
    SignOnCallDependencies,
    PdfSetCallDependencies,
    PersonalDataCallDependencies,
    StatusCallDependencies,
    CredentialDependencies,
    ProfileDependencies,
    ChatCallDependencies,
    CreditCallDependencies,
    LibraryCallDependencies,
    ProductDocsCallDependencies {
  hosting: HostingDependencies;
  search: Search;
  meter: CallMeter;
}

/** Who answers what: every endpoint of the contract with its verb. */
export function createCalls(deps: CallDependencies): Call[] {
  const calls = [
    ...accountCalls(deps),
    ...identityCalls(deps),
    ...outboxCalls(deps),
    ...personalDataCalls(deps),
    ...teamCalls(deps),
    ...signOnCalls(deps),
    ...keyCalls(deps),
    ...connectionCalls(deps),
    ...libraryCalls(deps),
    ...probeCalls(deps),
    ...indexRequestCalls(deps),
    ...sourceCredentialCalls(deps),
    ...pdfSetCalls(deps),
    ...repositoryCalls(deps),
    ...profileCalls(deps),
    ...searchCalls(deps),
    ...documentCalls(deps),
    ...chatCalls(deps),
    ...creditCalls(deps),
    ...billingCalls(deps),
    ...hostingCalls(deps),
    ...siteCalls(deps),
    ...statusCalls(deps),
    ...confCalls(deps),
  ];
  return [
    ...calls,
    ...productDocsCalls(deps, () => [...calls.map(({ endpoint }) => endpoint), ...Object.values(liveEndpoints)]),
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
    call(searchEndpoints.search, async (ctx, { isDraft, ...input }) => {
      if (isDraft !== true) return search.searchDocs(ctx, input, undefined);
      if (ctx.actor.kind === 'user') await requireWithinRate(ctx, [['draft-account', ctx.actor.userId]]);
      return search.previewSearch(ctx, input);
    }),
    call(searchEndpoints.read, (ctx, input) => search.readUrl(ctx, input, undefined)),
    call(trySearchEndpoints.trySearch, (ctx, input, { browser }) =>
      search.tryPublicSearch(ctx, input, browser.address),
    ),
    call(trySearchEndpoints.getShowcase, (ctx) => search.showcase(ctx)),
  ];
}
