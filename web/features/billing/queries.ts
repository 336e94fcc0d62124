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
import { useAction } from '../../kit/endpoint-query.ts';
import { callApi } from '../../lib/api-client.ts';
import { untilShown } from '../../lib/query-client.ts';

/** The paying team's id, or null for the signed-in user. */
export type Payer = string | null;

/** Has the live query's prefix, so that a payment appears in every tab as soon as it arrives. */
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

/** Returns the displayed price, to be sent with the change. */
export const agreedPriceOf = ({ dueNowCents, monthlyCents }: ChangePreview): AgreedPrice => ({
  dueNowCents,
  monthlyCents,
});

/** A change's price. It depends on the minute and is never cached, so that no one confirms an outdated price. */
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

interface Order {
  tier: PaidTier;
  numberOfSeats: number;
  priceId: string;
  promotionCode?: string | undefined;
}

/** Opens a plan's payment page; returns its address. */
export function useSubscribe(payer: Payer) {
  return useMutation({
    mutationFn: async ({ tier, numberOfSeats, priceId, promotionCode }: Order) => {
      const code = promotionCode === undefined ? {} : { promotionCode };
      if (payer === null) return callApi(billingEndpoints.subscribe, { tier, ...code });
      return callApi(billingAdministration.createSubscription, {
        teamId: payer,
        numberOfSeats,
        priceId,
        ...code,
      });
    },
  });
}

/** Opens the payment page for whole credit packs; returns its address. */
export function usePurchaseCredits(payer: Payer) {
  return useMutation({
    mutationFn: async ({ packs, amount }: { packs: number; amount: number }) =>
      payer === null
        ? callApi(billingEndpoints.purchaseCredits, { packs })
        : callApi(billingAdministration.purchaseTeamCredits, { teamId: payer, amount }),
  });
}

export function useOpenPortal(payer: Payer) {
  return useMutation({
    mutationFn: async () =>
      payer === null
        ? callApi(billingEndpoints.openPortal, {})
        : callApi(billingAdministration.openTeamPortal, { teamId: payer }),
  });
}

/**
 * A change of billing: shows the new state and refetches invoices, credits and the team. `onDone` is called even if the
 * button that started it is no longer on the page.
 */
function useBillingChange<Input = void>(
  payer: Payer,
  change: (input: Input) => Promise<{ billing: Billing }>,
  onDone?: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // A refused change was based on an outdated price or plan.
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

/** Assigns paid seats to exactly the named members. */
export function useManageSeats() {
  return useAction(billingAdministration.manageSeats, { invalidates: ['billing', 'teamMembers'] });
}

/**
 * Returns a function that opens the page returned by a payment call: within this program in test mode, otherwise the
 * provider's site in place of this page.
 */
export function useGoToPayment(): (answer: { url: string }) => void {
  const navigate = useNavigate();
  return ({ url }) => {
    const target = new URL(url, window.location.origin);
    if (target.origin === window.location.origin) void navigate(`${target.pathname}${target.search}${target.hash}`);
    else window.location.assign(target);
  };
}
