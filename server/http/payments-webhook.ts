import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Billing } from '#server/features/billing/index.ts';
import { asKnownFault } from '#server/features/known-fault.ts';
import type { ErrorReporter } from '#server/platform/error-reports/error-reporter.ts';
import { boundedBody } from './bounded-body.ts';
import { toErrorResponse } from './error-response.ts';

export interface PaymentsWebhookParts {
  /** No one: an event is believed by its signature alone. */
  contextOf(): Context;
  billing: Pick<Billing, 'receiveEvent'>;
  errorReporter: ErrorReporter;
}

/** Where the payment provider delivers its events. Only a wrong signature is reported as the sender's fault. */
export function createPaymentsWebhook({ contextOf, billing, errorReporter }: PaymentsWebhookParts) {
  return {
    path: '/webhooks/stripe',
    method: 'POST' as const,
    async handle(request: Request): Promise<Response> {
      const ctx = contextOf();
      try {
        const body = (await boundedBody(request, limits.requestBytesMax)).toString('utf8');
        const signature = request.headers.get('stripe-signature') ?? '';
        const reception = await billing.receiveEvent(ctx, { body, signature });
        return Response.json({ received: true }, { status: reception === 'done' ? 200 : 202 });
      } catch (thrown) {
        const error = asKnownFault(thrown);
        const isTold = error instanceof AppError && error.code !== 'internal';
        if (!isTold) errorReporter.report(error, { from: 'server', requestId: ctx.requestId, path: 'POST /webhooks' });
        return toErrorResponse(error, ctx.requestId, ctx.log);
      }
    },
  };
}
