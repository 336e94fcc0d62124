import { Autocomplete } from '@base-ui/react/autocomplete';
import { Search } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Kbd } from './kbd.tsx';
import { Modal } from './modal.tsx';

export interface PaletteItem {
  id: string;
  label: string;
  /** Additional search terms. */
  keywords?: string;
  icon: ReactNode;
  onSelect: () => void;
}

export interface PaletteGroup {
  label: string;
  items: PaletteItem[];
}

interface PaletteProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The initial text. */
  typedBefore: string;
  groups: PaletteGroup[];
  /** Items created from the typed text, such as "Search for …"; always last. */
  itemsFor: (typed: string) => PaletteItem[];
}

/** A command palette that opens any page and runs any action by name. */
export function Palette({ isOpen, onOpenChange, typedBefore, groups, itemsFor }: PaletteProps) {
  const close = () => onOpenChange(false);
  return (
    <Modal
      isOpen={isOpen}
      onClose={close}
      label="Command palette"
      className="mx-auto mt-[12dvh] flex max-h-[min(28rem,76dvh)] w-[calc(100vw-1.5rem)] max-w-xl flex-col overflow-hidden rounded-xl border"
    >
      <PaletteList {...{ typedBefore, groups, itemsFor }} onDone={close} />
    </Modal>
  );
}

interface PaletteListProps extends Pick<PaletteProps, 'typedBefore' | 'groups' | 'itemsFor'> {
  onDone: () => void;
}

function PaletteList({ typedBefore, groups, itemsFor, onDone }: PaletteListProps) {
  const [typed, setTyped] = useState(typedBefore);
  const markedId = useRef<string>(undefined);
  const shown = matchingGroups(groups, typed, itemsFor);
  const choose = (item: PaletteItem) => {
    onDone();
    item.onSelect();
  };
  return (
    <Autocomplete.Root
      open
      inline
      items={shown}
      filter={null}
      itemToStringValue={(item: PaletteItem) => item.label}
      value={typed}
      onValueChange={(value, { reason }) => reason !== 'item-press' && setTyped(value)}
      autoHighlight="always"
      keepHighlight
      onItemHighlighted={(item: PaletteItem | undefined) => {
        markedId.current = item?.id;
      }}
    >
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        <Autocomplete.Input
          aria-label="Search commands"
          placeholder="Go to a page or search documentation"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            // Enter may come before the first item is highlighted, and selects it anyway.
            event.preventBaseUIHandler();
            event.preventDefault();
            const lines = shown.flatMap(({ items }) => items);
            const chosen = lines.find(({ id }) => id === markedId.current) ?? lines[0];
            if (chosen) choose(chosen);
          }}
          className="h-12 w-full bg-transparent text-md text-ink outline-none placeholder:text-faint"
        />
        <button type="button" onClick={onDone}>
          <span className="sr-only">Close</span> <Kbd>Esc</Kbd>
        </button>
      </div>
      <Autocomplete.List className="min-h-0 overflow-y-auto overscroll-contain p-1.5 outline-none">
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.label} items={group.items} className="not-first:mt-1">
            <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 font-medium text-2xs text-faint">
              {group.label}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PaletteItem) => (
                <Autocomplete.Item
                  key={item.id}
                  value={item}
                  onClick={() => choose(item)}
                  className="flex min-h-9 cursor-default items-center gap-3 rounded-md px-2.5 outline-none data-highlighted:bg-hover"
                >
                  <span className="text-faint">{item.icon}</span>
                  <span className="min-w-0 truncate">{item.label}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

/** Returns the items whose label or keywords contain every typed word. */
export function matchingGroups(
  groups: PaletteGroup[],
  typed: string,
  itemsFor: (typed: string) => PaletteItem[],
): PaletteGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = groups.map(({ label, items }) => ({
    label,
    items: items.filter((item) => {
      const text = `${item.label} ${item.keywords ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    }),
  }));
  const made = typed.trim() === '' ? [] : itemsFor(typed.trim());
  return [...matching, { label: 'Search', items: made }].filter(({ items }) => items.length > 0);
}
