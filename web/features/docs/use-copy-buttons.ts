import { type RefObject, useEffect } from 'react';
import { useToast } from '../../ui/toast.tsx';

const copiedMs = 2_000;

/** Makes the copy buttons of the code blocks in a written page work; `html` is what stands in the element. */
export function useCopyButtons(element: RefObject<HTMLElement | null>, html: string | undefined): void {
  const toast = useToast();
  useEffect(() => {
    const holder = element.current;
    if (holder === null || html === undefined) return;
    const copy = async (button: HTMLButtonElement): Promise<void> => {
      const code = button.closest('.docs-code')?.querySelector('pre')?.textContent ?? '';
      try {
        await navigator.clipboard.writeText(code);
      } catch {
        toast({ id: 'copy', message: 'Failed to copy', tone: 'bad', target: button });
        return;
      }
      toast({ id: 'copy', message: 'Copied to clipboard', target: button });
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, copiedMs);
    };
    const onClick = (event: MouseEvent): void => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (button?.matches('[data-copy]')) void copy(button);
    };
    holder.addEventListener('click', onClick);
    return () => holder.removeEventListener('click', onClick);
  }, [element, html, toast]);
}
