import type * as Api from '@opentelemetry/api';
import type { Attributes, Context as OtelContext, Span, Tracer } from '@opentelemetry/api';
import type { Logger } from './log.ts';

export interface TracingConfig {
  /** Share, 0 to 1, of traces started here that are sent. */
  share: number;
  /** If true, the caller's sampling decision is followed. */
  followsCaller: boolean;
}

/** Thrown if tracing is on, but its packages are not installed. */
export class TracingError extends Error {
  override readonly name = 'TracingError';
}

/** Attributes of finished work. Never contains people's text or identity. */
export interface Noted {
  note(attributes: Attributes): void;
  rename(name: string): void;
}

interface Active {
  tracer: Tracer;
  api: typeof Api;
}

// Global per process, like OpenTelemetry's own registry, so that traced work needs no reference to it.
let active: Active | undefined;
const unheard: Noted = { note: () => undefined, rename: () => undefined };

/**
 * Starts sending traces over OTLP with OpenTelemetry's packages, which read the destination and options from their
 * variables. Returns a function that sends pending traces and stops. Throws TracingError if the packages are missing.
 */
export async function startTracing(
  config: TracingConfig,
  about: { product: string; version: string; roles: readonly string[] },
  log: Logger,
): Promise<() => Promise<void>> {
  const [api, sdk, contexts, resources, otlp] = await loadPackages();
  api.diag.setLogger(diagnosticsTo(log), api.DiagLogLevel.ERROR);
  const ratio = new sdk.TraceIdRatioBasedSampler(config.share);
  const own = resources.resourceFromAttributes({
    'service.name': about.product.toLowerCase(),
    'service.version': about.version,
    'lectern.roles': about.roles.join(' '),
  });
  const provider = new sdk.TracerProvider({
    sampler: config.followsCaller ? new sdk.ParentBasedSampler({ root: ratio }) : ratio,
    resource: resources
      .defaultResource()
      .merge(own)
      .merge(resources.detectResources({ detectors: [resources.envDetector, resources.serviceInstanceIdDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new otlp.OTLPTraceExporter() })],
  });
  api.context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable());
  active = { api, tracer: provider.getTracer('lectern', about.version) };
  return async () => {
    active = undefined;
    await provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'the last traces were not sent'));
    api.context.disable();
    api.diag.disable();
  };
}

/** Runs work as a span of the current trace; without tracing, only runs the work. */
export function traced<T>(name: string, work: (span: Noted) => T, parent?: string): T {
  if (active === undefined) return work(unheard);
  const { tracer, api } = active;
  const kind = parent === undefined ? api.SpanKind.INTERNAL : api.SpanKind.SERVER;
  return tracer.startActiveSpan(name, { kind }, contextOf(api, parent), (span) => {
    const end = (error?: unknown) => endSpan(api, span, error);
    try {
      const result = work({
        note: (attributes) => span.setAttributes(attributes),
        rename: (to) => span.updateName(to),
      });
      if (!(result instanceof Promise)) {
        end();
        return result;
      }
      return result.then(
        (value: unknown) => {
          end();
          return value;
        },
        (error: unknown) => {
          end(error);
          throw error;
        },
      ) as T;
    } catch (error) {
      end(error);
      throw error;
    }
  });
}

/**
 * Runs a stage of the current span and records its milliseconds as the attribute `lectern.<stage>_ms`. A search has
 * four stages: as separate spans they would cost more than the rest of its trace.
 */
export function timed<T>(stage: string, work: () => T): T {
  const span = active?.api.trace.getActiveSpan();
  if (!span?.isRecording()) return work();
  const startedAt = performance.now();
  const end = () => span.setAttribute(`lectern.${stage}_ms`, Math.round((performance.now() - startedAt) * 100) / 100);
  const result = work();
  if (result instanceof Promise) return result.finally(end) as T;
  end();
  return result;
}

/** Records the error's code or name, because its message may contain people's text. */
function endSpan(api: Active['api'], span: Span, error?: unknown): void {
  if (error !== undefined) {
    const { code, name } = error as { code?: unknown; name?: unknown };
    const type = [code, name].find((known) => typeof known === 'string');
    span.setAttribute('error.type', type ?? 'unknown');
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end();
}

/** Continues the trace named in a request (W3C trace context), if any. */
function contextOf({ context, trace }: Active['api'], parent: string | undefined): OtelContext {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(parent ?? '');
  if (found === null) return context.active();
  const [, traceId = '', spanId = '', flags = ''] = found;
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(context.active(), spanContext);
}

function diagnosticsTo(log: Logger) {
  const ignore = () => undefined;
  // OpenTelemetry reports an error as JSON with its stack.
  const tell = (text: string) =>
    log.warn({ reason: /"message":"([^"]*)"/.exec(text)?.[1] ?? text }, 'traces could not be sent');
  return { error: tell, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
}

async function loadPackages() {
  try {
    return await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
    ]);
  } catch (cause) {
    throw new TracingError(
      'Traces cannot be sent: the optional packages of @opentelemetry are not installed. Install them with "npm install --include=optional", or unset the OTEL_ variables.',
      { cause },
    );
  }
}
