import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps } from './button.tsx';

interface IconButtonProps extends Omit<ButtonProps, 'look' | 'size' | 'children'> {
  icon: LucideIcon;
  /** The accessible name. */
  label: string;
}

/** A small, quiet button with only an icon. */
export function IconButton({ icon: Icon, label, ...rest }: IconButtonProps) {
  return (
    <Button look="quiet" size="icon-sm" aria-label={label} {...rest}>
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}
