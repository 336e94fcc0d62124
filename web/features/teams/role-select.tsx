import type { TeamRole } from '#contract/teams.ts';
import { Select } from '../../ui/select.tsx';
import { roleOf, roleOptions } from './roles.ts';

interface RoleSelectProps {
  /** The member whose role it is; part of the accessible name. */
  of: string;
  value: TeamRole;
  onChange: (role: TeamRole) => void;
  className: string;
}

/** Selects a member's role in the team. */
export function RoleSelect({ of, value, onChange, className }: RoleSelectProps) {
  return (
    <Select
      label={`Role of ${of}`}
      isLabelHidden
      value={value}
      options={roleOptions}
      onChange={(next) => onChange(roleOf(next))}
      className={className}
    />
  );
}
