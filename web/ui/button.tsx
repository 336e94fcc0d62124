import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

type Look = 'action' | 'plain' | 'quiet' | 'danger';
type Size = 'md' | 'sm' | 'icon' | 'icon-sm';

const looks: Record<Look, string> = {
  action: 'bg-action text-on-action shadow-sm hover:bg-action-hover',
  plain: 'border border-line-strong bg-surface text-ink shadow-sm hover:bg-hover',
  quiet: 'text-soft hover:bg-hover hover:text-ink',
  danger: 'bg-danger-action text-white shadow-sm hover:bg-danger-action-hover',
};

const sizes: Record<Size, string> = {
  md: 'h-9 gap-2 rounded-md px-3.5 text-base',
  sm: 'h-7.5 gap-1.5 rounded-sm px-2.5 text-sm',
  icon: 'size-9 rounded-md',
  'icon-sm': 'size-7.5 rounded-sm',
};

/** Returns a button's classes, for links that look like one. */
export function buttonClasses(look: Look = 'plain', size: Size = 'md'): string {
  return classNames(
    'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap font-medium transition-colors duration-100 disabled:pointer-events-none disabled:opacity-40',
    looks[look],
    sizes[size],
  );
}

export interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  size?: Size;
  /**
   * True while the action runs: the label stays, a spinner replaces the icon, and the button stays focusable but
   * ignores clicks.
   */
  isBusy?: boolean;
}

export function Button({ look, size, isBusy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      {...rest}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={classNames(buttonClasses(look, size), isBusy && 'cursor-progress opacity-80', className)}
    >
      {isBusy && <LoaderCircle aria-hidden className="size-4 animate-[turn_0.9s_linear_infinite]" />}
      {!(isBusy && (size === 'icon' || size === 'icon-sm')) && children}
    </button>
  );
}
