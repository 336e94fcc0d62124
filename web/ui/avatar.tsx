import { classNames } from './class-names.ts';

interface AvatarProps {
  /** Its first letter is shown. */
  name: string;
  /** A circle for a person, a square for a group. */
  shape?: 'round' | 'square';
  size?: 'sm' | 'md' | 'lg';
  /** Shows only an outline, for an empty place. */
  isOutline?: boolean;
}

const sizes = { sm: 'size-6 text-2xs', md: 'size-8 text-xs', lg: 'size-11 text-md' } as const;
const corners = { sm: 'rounded-sm', md: 'rounded-md', lg: 'rounded-lg' } as const;
const tones = [
  'bg-lamp-ground text-lamp ring-lamp-line',
  'bg-busy-ground text-busy ring-busy-line',
  'bg-warn-ground text-warn ring-warn-line',
  'bg-sunken text-soft ring-line-strong',
] as const;

/** A letter on a background colour derived from the name. Decorative: the name is always shown beside it. */
export function Avatar({ name, shape = 'round', size = 'md', isOutline = false }: AvatarProps) {
  const sum = Array.from(name).reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7);
  return (
    <span
      aria-hidden
      className={classNames(
        'flex shrink-0 select-none items-center justify-center font-semibold',
        sizes[size],
        shape === 'round' ? 'rounded-full' : corners[size],
        isOutline ? 'border border-line-strong border-dashed text-faint' : `ring-1 ${tones[sum % tones.length]}`,
      )}
    >
      {(Array.from(name.trim())[0] ?? '?').toUpperCase()}
    </span>
  );
}
