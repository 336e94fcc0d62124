import { useEffect, useRef, useState } from 'react';
import { type RepositoryWebhook, repositoryEndpoints } from '#contract/repositories.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { ListedSource } from './listed-sources.ts';
import { type GitHost, gitHostLabels, gitHostOf, gitHosts, isOwnMachine, setupSteps } from './webhook-words.ts';

interface MadeWebhookProps {
  webhook: RepositoryWebhook;
  source: ListedSource;
  /** Secret of a newly created webhook; it can't be shown again. */
  secret: string | undefined;
  onSecret: (secret: string) => void;
  onSecretDone: () => void;
  onRemoved: () => void;
}

/** A repository's webhook: its address, how to set it up, and actions to renew the secret or remove the webhook. */
export function MadeWebhook(props: MadeWebhookProps) {
  const { webhook, source, secret } = props;
  const renewing = useConfirm(
    {
      title: () => 'Create a new secret?',
      body: () => (
        <p>The current secret stops working immediately. Deliveries are rejected until you update it at the host.</p>
      ),
      actionLabel: 'Create a new secret',
      onDone: (_: ListedSource, made) => props.onSecret(made.secret),
    },
    useAction(repositoryEndpoints.renewRepositoryWebhook, { invalidates: ['repositoryTelling'] }),
    ({ moduleId, visibility }) => ({ moduleId, visibility }),
  );
  const removing = useConfirm(
    {
      title: () => 'Remove the webhook?',
      body: ({ displayName }: ListedSource) => (
        <>
          <p>
            {displayName} is then checked every five minutes. Its secret stops working permanently, and the list of
            deliveries is deleted.
          </p>
          <p>Also delete the webhook at the host: its deliveries are rejected.</p>
        </>
      ),
      actionLabel: 'Remove webhook',
      toast: () => 'Webhook removed',
      onDone: props.onRemoved,
    },
    useAction(repositoryEndpoints.removeRepositoryWebhook, { invalidates: ['repositoryTelling'] }),
    ({ moduleId, visibility }) => ({ moduleId, visibility }),
  );
  return (
    <>
      <dl className="flex flex-col gap-4">
        <div>
          <dt className="mb-1 font-medium text-ink text-sm">Address</dt>
          <dd className="flex items-center gap-2">
            <code className="wrap-anywhere min-w-0 flex-1 rounded-md border border-line bg-sunken px-3 py-1.5 font-mono text-ink text-sm">
              {webhook.url}
            </code>
            <CopyButton text={webhook.url} label="Copy the address" />
          </dd>
        </div>
        {secret !== undefined && (
          <div>
            <dt className="mb-1 font-medium text-ink text-sm">Secret</dt>
            <dd>
              <FreshSecret secret={secret} onDone={props.onSecretDone} />
            </dd>
          </div>
        )}
      </dl>
      {isOwnMachine(webhook.url) && (
        <Notice tone="warn" title="Only this machine can reach this address">
          Other hosts need a public address. Start the server with LECTERN_PUBLIC_URL, then copy the address again.
        </Notice>
      )}
      <WebhookSteps url={source.url} isOpen={webhook.receivedAt === null} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-faint text-sm">
          Secret created <RelativeTime at={webhook.createdAt} />
          {webhook.receivedAt === null ? '. No deliveries yet.' : '.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => renewing.ask(source)}>
            New secret…
          </Button>
          <Button size="sm" onClick={() => removing.ask(source)}>
            Remove webhook…
          </Button>
        </div>
      </div>
      {renewing.dialog}
      {removing.dialog}
    </>
  );
}

/** A secret that is shown only once. Asks for confirmation before it closes uncopied. */
function FreshSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const codeRef = useRef<HTMLElement>(null);
  // The button that created it was removed or is far away, so focus the secret.
  useEffect(() => codeRef.current?.focus(), []);
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-lamp-line bg-lamp-ground p-3">
      <p className="text-soft text-sm">Copy it now and enter it at the host: it is not shown again.</p>
      <div className="flex flex-wrap items-center gap-2">
        <code
          ref={codeRef}
          tabIndex={-1}
          className="wrap-anywhere min-w-0 flex-1 basis-64 rounded-md border border-line bg-surface px-3 py-1.5 font-mono text-ink text-sm"
        >
          {secret}
        </code>
        <CopyButton
          text={secret}
          label="Copy secret"
          isLabelled
          look="action"
          size="md"
          onCopied={() => setIsCopied(true)}
        />
        <Button onClick={() => (isCopied ? onDone() : setIsAsking(true))}>Done</Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Hide the secret without copying it?"
        actionLabel="Hide it"
        cancelLabel="Keep it visible"
        onConfirm={onDone}
      >
        It can't be shown again. Without a copy you must create a new one.
      </ConfirmDialog>
    </div>
  );
}

/** Setup steps for each host; the repository's own host is selected first. */
function WebhookSteps({ url, isOpen }: { url: string; isOpen: boolean }) {
  const [host, setHost] = useState<GitHost>(() => gitHostOf(url));
  return (
    <details open={isOpen} className="rounded-md border border-line">
      <summary className="cursor-pointer rounded-md px-3 py-2 font-medium text-ink text-sm hover:bg-hover">
        How to set it up at the host
      </summary>
      <div className="border-line border-t px-3 pt-1 pb-3">
        <Tabs
          label="Host of the repository"
          value={host}
          onChange={setHost}
          panelClassName="pt-3"
          tabs={gitHosts.map((name) => ({
            name,
            label: gitHostLabels[name],
            panel: (
              <ol className="flex list-decimal flex-col gap-1.5 pl-5 text-sm text-soft marker:text-faint">
                {setupSteps[name].map((step) => (
                  <li key={step} className="max-w-prose pl-1">
                    {step}
                  </li>
                ))}
              </ol>
            ),
          }))}
        />
      </div>
    </details>
  );
}
