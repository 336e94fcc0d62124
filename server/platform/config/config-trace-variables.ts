import { z } from 'zod';
import { address } from './config-readers.ts';
import type { Variable } from './config-variable.ts';

/** Where traces are sent; OpenTelemetry's packages read further variables themselves. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    about:
      "OpenTelemetry collector for traces (OTLP over HTTP), as http://host:4318; empty sends none. OpenTelemetry's packages read further variables, such as OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME.",
    type: address('http', 'https').optional(),
    example: '',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    about: 'The same with its full path, as http://host:4318/v1/traces; takes precedence.',
    type: address('http', 'https').optional(),
    example: '',
  },
  OTEL_TRACES_SAMPLER: {
    about:
      'Which traces are sent: always_on, always_off or traceidratio; a prefix parentbased_ follows the decision of the caller of a request.',
    type: z
      .enum(
        ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]),
        'must be always_on, always_off or traceidratio, or one of these after parentbased_',
      )
      .default('parentbased_always_on'),
    example: 'parentbased_always_on',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    about: 'Share of traces for traceidratio, 0 to 1.',
    type: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number between 0 and 1')
      .transform(Number)
      .default(1),
    example: '1',
  },
  OTEL_SDK_DISABLED: {
    about: 'true disables traces regardless of the other OTEL_ variables; true or false.',
    type: z.enum(['true', 'false'], 'must be true or false').default('false'),
    example: 'false',
  },
} satisfies Record<string, Variable<unknown>>;
