import { createHmac } from 'node:crypto';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { BillingDependencies } from '#server/features/billing/index.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { openPayments } from '#server/platform/payments/open-payments.ts';

/** The provider gives up on a delivery after some seconds and counts it as failed. */
const eventAnswerMs = 4_000;

/** Opens who takes the payments. */
export function wireBilling(
  { payments }: Pick<Config, 'payments'>,
  parts: { base: Pick<Context, 'db' | 'clock'>; publicUrl: string; userAgent: string; secret: Uint8Array },
): { billing: BillingDependencies; close(): Promise<void> } {
  const { base, publicUrl, userAgent } = parts;
  // Whoever runs the installation named this host, so it may be private; what people have indexed may not reach it.
  const outbound = createOutbound({ allowHosts: payments.kind === 'stripe' ? [hostOf(payments.url)] : [], userAgent });
  const secret = `whsec_${createHmac('sha256', parts.secret).update('events of the test mode').digest('base64url')}`;
  return {
    billing: { payments: openPayments(payments, { ...base, outbound, publicUrl, secret }), publicUrl, eventAnswerMs },
    close: () => outbound.close(),
  };
}

function hostOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
