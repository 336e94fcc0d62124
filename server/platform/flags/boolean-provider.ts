import { ErrorCode, type EvaluationContext, type Provider, type ResolutionDetails } from '@openfeature/server-sdk';

type ReadFlag = (flag: string, context: EvaluationContext) => Promise<ResolutionDetails<boolean>>;

/** A provider for flags that are on or off; other kinds of flag answer their default. */
export function booleanProvider(name: string, read: ReadFlag): Provider {
  const otherKind = async <Value>(_flag: string, value: Value): Promise<ResolutionDetails<Value>> => ({
    value,
    errorCode: ErrorCode.TYPE_MISMATCH,
    errorMessage: 'only flags that are on or off are read',
  });
  return {
    metadata: { name },
    runsOn: 'server',
    resolveBooleanEvaluation: (flag, _default, context) => read(flag, context),
    resolveStringEvaluation: otherKind,
    resolveNumberEvaluation: otherKind,
    resolveObjectEvaluation: otherKind,
  };
}
