import type { ConsentQuestion } from '#contract/connections.ts';

interface WorkspaceChoiceProps {
  workspaces: ConsentQuestion['workspaces'];
  value: string;
  onChange: (workspaceId: string) => void;
}

/** Whose index the application searches, and whose credits it uses. */
export function WorkspaceChoice({ workspaces, value, onChange }: WorkspaceChoiceProps) {
  return (
    <fieldset>
      <legend className="font-medium text-ink text-sm">Workspace</legend>
      <div className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface shadow-sm">
        {workspaces.map(({ id, name }) => (
          <label key={id} className="flex cursor-pointer items-center gap-3 px-4 py-3 has-focus-visible:outline-2">
            <input
              type="radio"
              name="workspace"
              value={id}
              checked={id === value}
              onChange={() => onChange(id)}
              className="size-4 shrink-0 accent-lamp"
            />
            <span className="wrap-anywhere min-w-0 font-medium text-ink">{name}</span>
            {id === 'individual' && <span className="ml-auto text-faint text-sm">Your index and credits</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
