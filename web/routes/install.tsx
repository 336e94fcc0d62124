import { useQuery } from '@tanstack/react-query';
import { Check, Eye } from 'lucide-react';
import { type ReactNode, type Ref, useRef, useState } from 'react';

import type { ApiKey } from '#contract/keys.ts';
import { CreateKeyForm } from '../features/keys/create-key-form.tsx';
import { AgentPicker } from '../features/keys/install/agent-picker.tsx';
import { ConnectionPanel } from '../features/keys/install/connection-panel.tsx';
import {
  keysOptions,
  useChosenKeyId,
  useCreateKey,
  useKnownSecrets,
  useRevealKey,
  useSecret,
} from '../features/keys/known-secrets.ts';
import { SetupPanel, useChosenAgent } from '../features/keys/setup-panel.tsx';
import { Fault } from '../kit/fault.tsx';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { agentRules } from '../lib/agent-rules.ts';
import { isEmailUnverified } from '../lib/api-error.ts';
import { titledPage } from '../lib/page-title.tsx';
import { useProductName } from '../lib/session.ts';
import { useWorkspaceId } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Select } from '../ui/select.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { useToast } from '../ui/toast.tsx';

/** All steps to connect an agent, from a key to a working test. */
function InstallScreen() {
  const [agent, setAgent] = useChosenAgent();
  const productName = useProductName();
  const keys = useQuery(keysOptions(useWorkspaceId()));
  const chosenId = useChosenKeyId();
  const isChosenKnown = useSecret(chosenId) !== undefined;
  // A key from a team that shows keys only once is usable here right after its creation.
  const usable =
    keys.data?.filter(
      ({ id, isActive, isRevealable }) => isRevealable || (isActive && isChosenKnown && id === chosenId),
    ) ?? [];
  const chosen = usable.find(({ id }) => id === chosenId) ?? usable[0];
  const secret = useSecret(chosen?.id);
  const keyStep = useRef<HTMLElement>(null);

  return (
    <div className="page flex flex-col gap-8 py-10">
      <div>
        <h1 className="heading-page">Install</h1>
        <p className="mt-1 max-w-prose text-soft">
          Connect an editor or agent over MCP: choose it, fill in a key, paste, and test.
        </p>
      </div>
      <div className="grid gap-8 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-12">
        <AgentPicker value={agent} onChange={setAgent} />
        <div className="flex min-w-0 flex-col gap-9">
          <Step ref={keyStep} number={1} title="Choose a key">
            {keys.data ? (
              <KeyStep keys={usable} chosen={chosen} />
            ) : keys.isError ? (
              <RetryNotice query={keys} title="Couldn't load your API keys" />
            ) : (
              <Loading label="Loading API keys...">
                <Skeleton className="h-9 w-72" />
              </Loading>
            )}
            <p hidden={keys.isPending} className="text-faint text-xs">
              The key stays on this page and is only used in the text you copy.{' '}
              <TextLink to="/keys">All your keys</TextLink>
            </p>
          </Step>
          {/* Hidden while the keys load, because they would move. */}
          <div hidden={keys.isPending} className="flex flex-col gap-9">
            <Step number={2} title={`Add it to ${agent.name}`}>
              <SetupPanel agent={agent} secret={secret} />
              <p className="text-soft text-sm">
                <span className="font-medium text-ink">Then: </span>
                {agent.next}
              </p>
            </Step>
            <Step number={3} title="Tell it when to look things up">
              <p className="text-soft">Add this to {agent.rulesFile}, so that the agent searches before it guesses.</p>
              <CodeBlock
                code={agentRules(productName)}
                language="markdown"
                title={agent.rulesFile}
                label="Rules for the agent"
                isWrapped
              />
            </Step>
            <Step number={4} title="Test connection">
              <p className="text-soft">
                This browser does what the agent does: it opens a session, lists the tools and searches.
              </p>
              <ConnectionPanel
                key={chosen?.id}
                keyId={chosen?.id}
                secret={secret}
                onKeyMissing={() => keyStep.current?.querySelector('input')?.focus()}
              />
            </Step>
          </div>
        </div>
      </div>
    </div>
  );
}

export default titledPage('Install', InstallScreen);

interface StepProps {
  number: number;
  title: string;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}

function Step({ number, title, children, ref }: StepProps) {
  const id = `step-${number}`;
  return (
    <section ref={ref} aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <h2 id={id} className="heading-part flex items-center gap-2.5">
        <span
          aria-hidden
          className="tabular flex size-6 items-center justify-center rounded-full border border-line-strong bg-surface text-soft text-xs"
        >
          {number}
        </span>
        {title}
      </h2>
      <div className="flex min-w-0 flex-col gap-3 lg:pl-8.5">{children}</div>
    </section>
  );
}

interface KeyStepProps {
  /** Keys that can be revealed, newest first. */
  keys: ApiKey[];
  chosen: ApiKey | undefined;
}

/** Selects the key that is filled in on the whole page, or creates one. */
function KeyStep({ keys, chosen }: KeyStepProps) {
  const [isCreating, setIsCreating] = useState(false);
  const create = useCreateKey();
  const reveal = useRevealKey();
  const secret = useSecret(chosen?.id);
  const { choose } = useKnownSecrets();
  const toast = useToast();

  if (isCreating || chosen === undefined) {
    return (
      <div className="flex flex-col gap-3">
        {chosen === undefined && (
          <p className="text-soft">You don't have any active API keys. Create one for this agent.</p>
        )}
        <CreateKeyForm
          isBusy={create.isPending}
          error={isEmailUnverified(create.error) ? undefined : create.error}
          onCancel={chosen === undefined ? undefined : () => setIsCreating(false)}
          onCreate={(name) =>
            create.mutate(name, {
              onSuccess: () => setIsCreating(false),
              onError: (error) => {
                if (isEmailUnverified(error)) toast({ message: error.message, tone: 'bad', durationMs: 3_000 });
              },
            })
          }
        />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label="Key"
          value={chosen.id}
          onChange={choose}
          options={keys.map(({ id, name, maskedKey }) => ({ value: id, label: name, note: maskedKey }))}
          className="h-9 max-w-full"
        />
        {secret === undefined ? (
          <Button look="action" isBusy={reveal.isPending} onClick={() => reveal.mutate(chosen.id)}>
            {!reveal.isPending && <Eye aria-hidden className="size-4" />}
            Fill in this key
          </Button>
        ) : (
          <span role="status" className="inline-flex items-center gap-1.5 text-soft text-sm">
            <Check aria-hidden className="size-4 text-lamp" />
            Filled in below
          </span>
        )}
        <Button look="quiet" onClick={() => setIsCreating(true)}>
          + New API Key
        </Button>
      </div>
      <Fault error={reveal.error} />
    </div>
  );
}
