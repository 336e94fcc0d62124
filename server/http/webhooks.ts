import { hostingWebhookPath } from '#contract/hosting.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Billing } from '#server/features/billing/index.ts';
import type { Hosting } from '#server/features/hosting/index.ts';
import { asKnownFault } from '#server/features/known-fault.ts';
import { type Repositories, repositoryWebhookPath } from '#server/features/repositories/index.ts';
import type { ErrorReporter } from '#server/platform/error-reports/error-reporter.ts';
import { boundedBody } from './bounded-body.ts';
import { toErrorResponse } from './error-response.ts';

interface WebhookParts {
  /** Returns an anonymous context: an event is authenticated only by its signature. */
  contextOf(): Context;
  errorReporter: ErrorReporter;
}

type Receive = (ctx: Context, request: Request, header: (name: string) => string) => Promise<'done' | 'accepted'>;

/** Creates the endpoint for the payment provider's events. */
export function createPaymentsWebhook(parts: WebhookParts & { billing: Pick<Billing, 'receiveEvent'> }) {
  return webhook(parts, '/webhooks/stripe', async (ctx, request, header) => {
    const body = (await boundedBody(request, limits.requestBytesMax)).toString('utf8');
    const reception = await parts.billing.receiveEvent(ctx, { body, signature: header('stripe-signature') });
    return reception === 'done' ? 'done' : 'accepted';
  });
}

/**
 * Creates the endpoint for the code host's events: all signed events get the same response, regardless of the result.
 */
export function createHostingWebhook(parts: WebhookParts & { hosting: Pick<Hosting, 'receiveHostingEvent'> }) {
  return webhook(parts, hostingWebhookPath, async (ctx, request, header) => {
    await parts.hosting.receiveHostingEvent(ctx, {
      body: await boundedBody(request, limits.hostingEventBytesMax),
      event: header('x-github-event'),
      deliveryId: header('x-github-delivery'),
      signature: header('x-hub-signature-256'),
    });
    return 'accepted';
  });
}

/** Creates the endpoint for events from repository hosts other than GitHub; each module has its own address. */
export function createRepositoryWebhook(parts: WebhookParts & { repositories: Pick<Repositories, 'receivePush'> }) {
  return webhook(parts, `${repositoryWebhookPath}:moduleId`, async (ctx, request) => {
    const body = await boundedBody(request, limits.hostingEventBytesMax);
    const moduleId = new URL(request.url).pathname.slice(repositoryWebhookPath.length);
    const header = (name: string) => request.headers.get(name) ?? undefined;
    await parts.repositories.receivePush(ctx, { moduleId, body, header });
    return 'accepted';
  });
}

/** Reports only our own errors; the response tells the sender what is wrong, such as an invalid signature. */
function webhook({ contextOf, errorReporter }: WebhookParts, path: string, receive: Receive) {
  return {
    path,
    method: 'POST' as const,
    async handle(request: Request): Promise<Response> {
      const ctx = contextOf();
      try {
        const reception = await receive(ctx, request, (name) => request.headers.get(name) ?? '');
        const status = reception === 'done' ? 200 : 202;
        return Response.json({ received: true }, { status, headers: { 'cache-control': 'no-store' } });
      } catch (thrown) {
        const error = asKnownFault(thrown);
        const isTold = error instanceof AppError && error.code !== 'internal';
        if (!isTold) errorReporter.report(error, { from: 'server', requestId: ctx.requestId, path: 'POST /webhooks' });
        return toErrorResponse(error, ctx.requestId, ctx.log);
      }
    },
  };
}
