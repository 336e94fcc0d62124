import type { HostingMethod } from '#contract/hosting.ts';
import { Fault } from '../../kit/fault.tsx';
import { Button } from '../../ui/button.tsx';
import { useConnect } from './queries.ts';

const labels: Record<HostingMethod, string> = {
  app: 'Connect with the GitHub App',
  oauth: 'Connect with OAuth',
};

interface ConnectButtonsProps {
  methods: HostingMethod[];
  /** Of the one way, when there is only one. */
  label?: string;
  size?: 'md' | 'sm';
}

/** One button for each way to connect; the first is the one to take. */
export function ConnectButtons({ methods, label = 'Connect GitHub', size = 'md' }: ConnectButtonsProps) {
  const connect = useConnect();
  return (
    <div className="flex flex-col items-center gap-2">
      <div className="flex flex-wrap justify-center gap-2">
        {methods.map((method, at) => (
          <Button
            key={method}
            size={size}
            look={at === 0 ? 'action' : 'plain'}
            isBusy={connect.isPending && connect.variables === method}
            onClick={() => connect.mutate(method)}
          >
            {methods.length === 1 ? label : labels[method]}
          </Button>
        ))}
      </div>
      <Fault error={connect.error} />
    </div>
  );
}
