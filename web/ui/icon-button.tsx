import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps } from './button.tsx';

interface IconButtonProps extends Omit<ButtonProps, 'look' | 'size' | 'children'> {
  icon: LucideIcon;
  /** Read out in place of words. */
  label: string;
}

/** A small quiet button that is an icon only. */
export function IconButton({ icon: Icon, label, ...rest }: IconButtonProps) {
  return (
    <Button look="quiet" size="icon-sm" aria-label={label} {...rest}>
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}
