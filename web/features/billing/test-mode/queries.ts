import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type TestPortal, testBillingEndpoints } from '#contract/test-billing.ts';
import { callApi } from '../../../lib/api-client.ts';

export function testCheckoutOptions(checkoutId: string) {
  return queryOptions({
    queryKey: ['billing', 'test-checkout', checkoutId],
    queryFn: async ({ signal }) =>
      (await callApi(testBillingEndpoints.describeTestCheckout, { checkoutId }, signal)).checkout,
  });
}

export function testPortalOptions(portalId: string) {
  return queryOptions({
    queryKey: ['billing', 'test-portal', portalId],
    queryFn: async ({ signal }) =>
      (await callApi(testBillingEndpoints.describeTestPortal, { portalId }, signal)).portal,
  });
}

/** `onDone` is called even if the order already appears as paid, because the live update precedes the response. */
export function usePayTestCheckout(checkoutId: string, onDone: (answer: { url: string }) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (promotionCode: string | undefined) =>
      callApi(testBillingEndpoints.payTestCheckout, {
        checkoutId,
        ...(promotionCode === undefined ? {} : { promotionCode }),
      }),
    onSuccess: (answer) => {
      onDone(answer);
      return client.invalidateQueries({ queryKey: ['billing'] });
    },
  });
}

export function useDeclineTestCheckout(checkoutId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(testBillingEndpoints.declineTestCheckout, { checkoutId }),
    onSuccess: ({ checkout }) => client.setQueryData(testCheckoutOptions(checkoutId).queryKey, checkout),
  });
}

type PortalInput =
  | { act: 'card'; works: boolean }
  | { act: 'advance' | 'cancel' | 'resume' }
  | { act: 'refund'; paymentId: string };

/** Runs any action in the portal; the new state is shown immediately. */
export function useTestPortal(portalId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: PortalInput): Promise<TestPortal> => (await doInPortal(portalId, input)).portal,
    onSuccess: (portal) => {
      client.setQueryData(testPortalOptions(portalId).queryKey, portal);
      return client.invalidateQueries({
        predicate: ({ queryKey: [name, kind] }) => (name === 'billing' && kind !== 'test-portal') || name === 'credits',
      });
    },
  });
}

function doInPortal(portalId: string, input: PortalInput) {
  switch (input.act) {
    case 'card':
      return callApi(testBillingEndpoints.setTestCard, { portalId, works: input.works });
    case 'advance':
      return callApi(testBillingEndpoints.advanceTestTime, { portalId });
    case 'cancel':
      return callApi(testBillingEndpoints.cancelInTestPortal, { portalId });
    case 'resume':
      return callApi(testBillingEndpoints.resumeInTestPortal, { portalId });
    case 'refund':
      return callApi(testBillingEndpoints.refundTestPayment, { portalId, paymentId: input.paymentId });
  }
}

export type PortalAct = ReturnType<typeof useTestPortal>;
