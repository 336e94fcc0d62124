import { type Agent, agents } from '#contract/agents.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Select } from '../../../ui/select.tsx';

interface AgentPickerProps {
  value: Agent;
  onChange: (id: string) => void;
}

const kinds = [...new Set(agents.map(({ kind }) => kind))];

/** Selects an agent: from a list beside the page, or with a button if space is limited. */
export function AgentPicker({ value, onChange }: AgentPickerProps) {
  return (
    <>
      <div className="lg:hidden">
        <Select
          label="Agent"
          value={value.id}
          onChange={onChange}
          options={agents.map(({ id, name }) => ({ value: id, label: name }))}
          className="h-9 w-full"
        />
      </div>
      <fieldset className="sticky top-20 hidden min-w-0 flex-col gap-4 self-start lg:flex">
        <legend className="sr-only">Agent</legend>
        {kinds.map((kind) => (
          <div key={kind}>
            <p aria-hidden className="mb-1 px-2.5 text-faint text-xs">
              {kind}
            </p>
            {agents
              .filter((agent) => agent.kind === kind)
              .map(({ id, name }) => (
                <label
                  key={id}
                  className={classNames(
                    'flex h-8 cursor-pointer select-none items-center rounded-md px-2.5 text-sm has-focus-visible:outline-2 has-focus-visible:outline-lamp',
                    id === value.id
                      ? 'bg-lamp-ground font-medium text-ink ring-1 ring-lamp-line ring-inset'
                      : 'text-soft hover:bg-hover hover:text-ink',
                  )}
                >
                  <input
                    type="radio"
                    name="agent"
                    value={id}
                    checked={id === value.id}
                    onChange={() => onChange(id)}
                    className="sr-only"
                  />
                  {name}
                </label>
              ))}
          </div>
        ))}
      </fieldset>
    </>
  );
}
