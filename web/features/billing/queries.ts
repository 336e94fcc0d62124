import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import {
  type AgreedPrice,
  type Billing,
  billingAdministration,
  billingEndpoints,
  type ChangePreview,
  type PaidTier,
  teamBillingEndpoints,
} from '#contract/billing.ts';
import { callApi } from '../../lib/api-client.ts';
import { untilShown } from '../../lib/query-client.ts';
import { callAdministration } from '../../lib/team-administration.ts';
import { teamMembersOptions } from '../../lib/team-queries.ts';

/** Who pays: the team of this id, or with null the person who is signed in. */
export type Payer = string | null;

/** Begins like the live query, so that a payment shows in every tab as soon as it has arrived. */
const keyOf = (payer: Payer) => ['billing', payer] as const;

export function billingOptions(payer: Payer) {
  return queryOptions({
    queryKey: [...keyOf(payer), 'state'],
    queryFn: async ({ signal }) =>
      (payer === null
        ? await callApi(billingEndpoints.getBilling, {}, signal)
        : await callApi(teamBillingEndpoints.getTeamBilling, { teamId: payer }, signal)
      ).billing,
  });
}

export function invoicesOptions(payer: Payer) {
  return queryOptions({
    queryKey: [...keyOf(payer), 'invoices'],
    queryFn: async ({ signal }) =>
      (payer === null
        ? await callApi(billingEndpoints.listInvoices, {}, signal)
        : await callApi(teamBillingEndpoints.listTeamInvoices, { teamId: payer }, signal)
      ).invoices,
  });
}

/** What was shown of a price, to be sent with the change. */
export const agreedPriceOf = ({ dueNowCents, monthlyCents }: ChangePreview): AgreedPrice => ({
  dueNowCents,
  monthlyCents,
});

/** What a change costs is asked again each time: it depends on the minute, and no one should confirm an old price. */
export function planPreviewOptions(payer: Payer, tier: PaidTier) {
  return queryOptions({
    queryKey: [...keyOf(payer), 'preview', { tier }],
    queryFn: async ({ signal }) =>
      (payer === null
        ? await callApi(billingEndpoints.previewPlan, { tier }, signal)
        : await callApi(teamBillingEndpoints.previewTeamChange, { teamId: payer, tier }, signal)
      ).preview,
    staleTime: 0,
    gcTime: 0,
  });
}

export function seatPreviewOptions(teamId: string, numberOfSeats: number) {
  return queryOptions({
    queryKey: [...keyOf(teamId), 'preview', { numberOfSeats }],
    queryFn: async ({ signal }) =>
      (await callApi(teamBillingEndpoints.previewTeamChange, { teamId, numberOfSeats }, signal)).preview,
    staleTime: 0,
    gcTime: 0,
  });
}

export function useCheckPromotion() {
  return useMutation({
    mutationFn: async (code: string) => (await callApi(billingEndpoints.checkPromotion, { code })).promotion,
  });
}

interface Order {
  tier: PaidTier;
  numberOfSeats: number;
  priceId: string;
  promotionCode?: string | undefined;
}

/** Opens the payment page for a plan; answers its address. */
export function useSubscribe(payer: Payer) {
  return useMutation({
    mutationFn: async ({ tier, numberOfSeats, priceId, promotionCode }: Order) => {
      const code = promotionCode === undefined ? {} : { promotionCode };
      if (payer === null) return callApi(billingEndpoints.subscribe, { tier, ...code });
      return callAdministration('createSubscription', billingAdministration.createSubscription, {
        teamId: payer,
        numberOfSeats,
        priceId,
        ...code,
      });
    },
  });
}

/** Opens the payment page for credits in whole packs; answers its address. */
export function usePurchaseCredits(payer: Payer) {
  return useMutation({
    mutationFn: async ({ packs, amount }: { packs: number; amount: number }) =>
      payer === null
        ? callApi(billingEndpoints.purchaseCredits, { packs })
        : callAdministration('purchaseCredits', billingAdministration.purchaseTeamCredits, { teamId: payer, amount }),
  });
}

export function useOpenPortal(payer: Payer) {
  return useMutation({
    mutationFn: async () =>
      payer === null
        ? callApi(billingEndpoints.openPortal, {})
        : callAdministration('openPortal', billingAdministration.openTeamPortal, { teamId: payer }),
  });
}

/**
 * A change of billing: shows the new state and refetches invoices, credits and the team. `onDone` is called even if the button that
 * started it is no longer on the page.
 */
function useBillingChange<Input = void>(
  payer: Payer,
  change: (input: Input) => Promise<{ billing: Billing }>,
  onDone?: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // A refused change was decided on a price or a plan that is no longer the one.
    onError: () => untilShown(client.invalidateQueries({ queryKey: keyOf(payer) })),
    onSuccess: ({ billing }) => {
      onDone?.();
      client.setQueryData(billingOptions(payer).queryKey, billing);
      return Promise.all(
        [keyOf(payer), ['credits'], ['teams']].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
  });
}

export function useChangePlan(payer: Payer, onDone: () => void) {
  const change = (asked: { tier: PaidTier; agreedPrice: AgreedPrice }) =>
    payer === null
      ? callApi(billingEndpoints.changePlan, asked)
      : callApi(teamBillingEndpoints.changeTeamPlan, { teamId: payer, ...asked });
  return useBillingChange(payer, change, onDone);
}

export function useCancelSubscription(payer: Payer) {
  const change = () =>
    payer === null
      ? callApi(billingEndpoints.cancelSubscription, {})
      : callApi(teamBillingEndpoints.cancelTeamSubscription, { teamId: payer });
  return useBillingChange(payer, change);
}

export function useResumeSubscription(payer: Payer, onDone: () => void) {
  const change = () =>
    payer === null
      ? callApi(billingEndpoints.resumeSubscription, {})
      : callApi(teamBillingEndpoints.resumeTeamSubscription, { teamId: payer });
  return useBillingChange(payer, change, onDone);
}

export function useChangeSeatCount(teamId: string, onDone: () => void) {
  const change = (asked: { numberOfSeats: number; agreedPrice: AgreedPrice }) =>
    callApi(teamBillingEndpoints.changeSeatCount, { teamId, ...asked });
  return useBillingChange(teamId, change, onDone);
}

interface SeatChange {
  /** Everyone who then has a paid seat. */
  paidSeatMembershipIds: string[];
  /** The team then pays for as many seats as that. */
  updateSubscription: boolean;
  agreedPrice?: AgreedPrice;
}

/** Gives exactly these members a paid seat. */
export function useManageSeats(teamId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: SeatChange) =>
      callAdministration('manageSeats', billingAdministration.manageSeats, { teamId, ...change }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keyOf(teamId) }),
        client.invalidateQueries({ queryKey: teamMembersOptions(teamId).queryKey }),
      ]),
  });
}

/**
 * Goes to a page that a payment call answered: within this program in the test mode, else to the provider's site, which
 * the browser opens in place of this page.
 */
export function useGoToPayment(): (answer: { url: string }) => void {
  const navigate = useNavigate();
  return ({ url }) => {
    const target = new URL(url, window.location.origin);
    if (target.origin === window.location.origin) void navigate(`${target.pathname}${target.search}${target.hash}`);
    else window.location.assign(target);
  };
}
