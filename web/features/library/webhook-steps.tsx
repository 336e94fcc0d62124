import { useState } from 'react';
import { Tabs } from '../../ui/tabs.tsx';
import { type GitHost, gitHostLabels, gitHostOf, gitHosts, setupSteps } from './webhook-words.ts';

/** How the webhook is set up at each host, that of the repository first in sight. */
export function WebhookSteps({ url, isOpen }: { url: string; isOpen: boolean }) {
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
