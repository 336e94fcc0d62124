import { useMutation } from '@tanstack/react-query';
import { Check, ChevronDown, Circle, LoaderCircle, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Fault } from '../../../kit/fault.tsx';
import { useProductName } from '../../../lib/session.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { useSecretReader } from '../known-secrets.ts';
import { type ConnectionStep, connectionSteps, type StepResult, testConnection } from './test-connection.ts';

const stepNames: Record<ConnectionStep, string> = {
  initialize: 'Open a session with the key',
  tools: 'List the tools',
  search: 'Search',
};

const queryDefault = 'getting started';

interface ConnectionPanelProps {
  /** The selected key; undefined if there is none. */
  keyId: string | undefined;
  /** The full key, once it was filled in. */
  secret: string | undefined;
  /** Called to lead the user to the step that creates a key. */
  onKeyMissing: () => void;
}

/** Makes the agent's calls from this browser and reports the result of each step. */
export function ConnectionPanel({ keyId, secret, onKeyMissing }: ConnectionPanelProps) {
  const readSecret = useMutation({ mutationFn: useSecretReader(), gcTime: 0 });
  const productName = useProductName();
  const costId = useId();
  const [query, setQuery] = useState(queryDefault);
  const [results, setResults] = useState<StepResult[]>([]);
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<AbortController>(undefined);
  // A test started on a previous screen must not report here.
  useEffect(() => () => running.current?.abort(), []);

  const run = async () => {
    if (keyId === undefined) return onKeyMissing();
    const known = secret ?? (await readSecret.mutateAsync(keyId).catch(() => undefined));
    if (known === undefined) return;
    const controller = new AbortController();
    running.current = controller;
    setResults([]);
    setIsRunning(true);
    try {
      await testConnection(
        { secret: known, productName, query: query.trim() || queryDefault, signal: controller.signal },
        (result) => setResults((known) => [...known, result]),
      );
      setIsRunning(false);
    } catch (error) {
      // The user has left, so no one sees the result.
      if (!controller.signal.aborted) throw error;
    }
  };

  const failed = results.find(({ isGood }) => !isGood);
  const isDone = results.length === connectionSteps.length && !failed;
  return (
    <div className="flex flex-col gap-4">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning && !readSecret.isPending) void run();
        }}
      >
        <TextField
          label="Search for"
          value={query}
          onValueChange={setQuery}
          className="flex-1 basis-56"
          maxLength={200}
        />
        <Button
          type="submit"
          look={keyId === undefined ? 'plain' : 'action'}
          isBusy={isRunning || readSecret.isPending}
          aria-describedby={costId}
        >
          Test connection
        </Button>
      </form>
      <p id={costId} className="text-faint text-xs">
        {keyId === undefined
          ? 'Create a key first: the test uses it.'
          : 'The test uses the chosen key. A search that finds something costs 1 credit.'}
      </p>
      <Fault error={readSecret.error} />
      {(isRunning || results.length > 0) && (
        <ol className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
          {connectionSteps.map((step, at) => (
            <StepRow key={step} step={step} result={results[at]} isRunning={isRunning && at === results.length} />
          ))}
        </ol>
      )}
      <p role="status" className={isDone ? 'font-medium text-lamp' : 'sr-only'}>
        {isDone && 'The key works: an agent with this configuration can search here.'}
        {failed && `${stepNames[failed.step]} failed: ${failed.summary}`}
      </p>
    </div>
  );
}

function StepRow({
  step,
  result,
  isRunning,
}: {
  step: ConnectionStep;
  result: StepResult | undefined;
  isRunning: boolean;
}) {
  return (
    <li className="flex gap-3 px-4 py-3">
      <span className="mt-0.5">{iconOf(result, isRunning)}</span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className={result || isRunning ? 'font-medium text-ink' : 'text-faint'}>{stepNames[step]}</span>
          {result && <span className="tabular text-faint text-xs">{Math.max(1, Math.round(result.latencyMs))} ms</span>}
        </p>
        {result && (
          <>
            <p className={`wrap-anywhere text-sm ${result.isGood ? 'text-soft' : 'text-danger'}`}>{result.summary}</p>
            {result.wayOut !== undefined && <p className="text-ink text-sm">{result.wayOut}</p>}
            {result.answer !== '' && (
              <details className="group mt-1">
                <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 rounded-xs text-faint text-xs hover:text-ink">
                  <ChevronDown aria-hidden className="size-3.5 -rotate-90 transition-transform group-open:rotate-0" />
                  Server response
                </summary>
                <pre
                  tabIndex={0}
                  role="group"
                  aria-label={`Response to: ${stepNames[step]}`}
                  className="wrap-anywhere mt-1 max-h-64 overflow-auto whitespace-pre-wrap rounded-md border border-line bg-sunken px-3 py-2 font-mono text-ink text-xs"
                >
                  {result.answer}
                </pre>
              </details>
            )}
          </>
        )}
      </div>
    </li>
  );
}

function iconOf(result: StepResult | undefined, isRunning: boolean) {
  if (isRunning)
    return <LoaderCircle aria-label="running" className="size-4 animate-[turn_0.9s_linear_infinite] text-busy" />;
  if (result === undefined) return <Circle aria-label="not yet" className="size-4 text-faint" />;
  return result.isGood ? (
    <Check aria-label="worked" className="size-4 text-lamp" />
  ) : (
    <X aria-label="failed" className="size-4 text-danger" />
  );
}
