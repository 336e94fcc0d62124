import { ArrowUpRight } from 'lucide-react';
import type { Agent } from '#contract/agents.ts';
import { buttonClasses } from '../../../ui/button.tsx';

/** Has the agent take the configuration over by itself; there is nothing to take over before a key is filled in. */
export function InstallLink({ agent, href }: { agent: Agent; href: string | undefined }) {
  if (!href) {
    return (
      <p className="text-soft text-sm">
        Fill in a key to get a link that adds the server to {agent.name} automatically.
      </p>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <a href={href} className={buttonClasses('action')}>
        Add to {agent.name}
        <ArrowUpRight aria-hidden className="size-4" />
      </a>
      <span className="text-faint text-xs">Opens {agent.name}, which asks before it adds the server. Or by hand:</span>
    </div>
  );
}
