import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { isEmailUnverified, sentenceForPeople } from '../../../lib/api-error.ts';
import { useSession } from '../../../lib/session.ts';
import { useWorkspaceId } from '../../../lib/workspace.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { useToast } from '../../../ui/toast.tsx';
import {
  keysOptions,
  useChosenKeyId,
  useCreateKey,
  useKnownSecrets,
  useRevealKey,
  useSecret,
} from '../known-secrets.ts';
import { SetupPanel, useChosenAgent } from '../setup-panel.tsx';
import { AgentPicker } from './agent-picker.tsx';

/**
 * The setup's second step: selects an agent and creates and fills in a key with one click, or no key if the agent signs
 * in.
 */
export function ConnectAgent() {
  const [agent, setAgent] = useChosenAgent();
  const [way, setWay] = useState<'key' | 'sign-in'>('key');
  const isSigningIn = way === 'sign-in' && agent.signIn !== undefined;
  const keys = useQuery(keysOptions(useWorkspaceId())).data ?? [];
  const chosenId = useChosenKeyId();
  const chosen =
    keys.find(({ id, isActive }) => isActive && id === chosenId) ?? keys.find(({ isRevealable }) => isRevealable);
  const secret = useSecret(chosen?.id);
  return (
    <div className="grid gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-12">
      <AgentPicker value={agent} onChange={setAgent} />
      <div className="flex min-w-0 flex-col gap-5">
        {agent.signIn !== undefined && (
          <div>
            <Segments
              label="How the agent signs in"
              value={way}
              onChange={setWay}
              options={[
                { value: 'key', label: 'With a key' },
                { value: 'sign-in', label: 'Sign in through the browser' },
              ]}
            />
          </div>
        )}
        {!isSigningIn && secret === undefined && <FillInKey keyId={chosen?.id} agentName={agent.name} />}
        <SetupPanel agent={agent} secret={secret} isSigningIn={isSigningIn} />
        <p className="text-soft">
          <span className="font-medium text-ink">Then: </span>
          {isSigningIn ? agent.signIn : agent.next}
        </p>
      </div>
    </div>
  );
}

/** Creates a key for the agent, or uses the existing one. */
function FillInKey({ keyId, agentName }: { keyId: string | undefined; agentName: string }) {
  const user = useSession().data?.user;
  const create = useCreateKey();
  const reveal = useRevealKey();
  const { choose } = useKnownSecrets();
  const toast = useToast();
  const fault = create.error ?? reveal.error;
  if (user?.isEmailVerified === false && !user.isOperator) return <VerifyFirst />;
  return (
    <div className="flex flex-col gap-3">
      <Button
        look="action"
        className="self-start"
        isBusy={create.isPending || reveal.isPending}
        onClick={() => {
          if (keyId !== undefined) choose(keyId);
          const filled =
            keyId === undefined
              ? create.mutateAsync({ name: agentName, mayAskToIndex: false })
              : reveal.mutateAsync(keyId);
          // The button is gone by then.
          filled.then(
            () => toast({ message: 'The configuration now has your key' }),
            () => undefined,
          );
        }}
      >
        <KeyRound aria-hidden className="size-4" />
        {keyId === undefined ? `Create a key for ${agentName}` : 'Fill in your key'}
      </Button>
      {fault && !isEmailUnverified(fault) && (
        <p role="alert" className="text-danger text-sm">
          {sentenceForPeople(fault)}
        </p>
      )}
      {isEmailUnverified(fault) && <VerifyFirst />}
    </div>
  );
}

function VerifyFirst() {
  return (
    <Notice tone="warn" title="Verify your email">
      API keys need a verified email. Open the verification link; this step then continues automatically.
    </Notice>
  );
}
