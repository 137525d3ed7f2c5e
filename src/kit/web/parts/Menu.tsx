import { Check, type LucideIcon } from 'lucide-react'
import type { ReactElement, RefObject } from 'react'
import { Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu'
import { Header } from 'react-aria-components/Header'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { useWords } from '../words.tsx'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'

export interface MenuAction {
  key: string
  label: string
  icon?: LucideIcon
  m?: boolean
  /** A second word at the end: a count, a state. */
  hint?: string
  keys?: string
  /** Danger destroys or blocks; there is at most one, and it is last. */
  tone?: 'danger'
  disabled?: boolean
  checked?: boolean
  href?: string
  onPress?: () => void
}

/** An action, a hairline, or a headed group of actions. */
export type MenuEntry = MenuAction | 'line' | { group: string; items: MenuAction[] }

const Item = ({ of: item }: { of: MenuAction }) => (
  <MenuItem
    id={item.key}
    className="k-item"
    data-tone={item.tone}
    textValue={item.label}
    href={item.href}
    isDisabled={item.disabled}
    onAction={item.onPress}
  >
    {item.icon && <Icon of={item.icon} m={item.m} />}
    <span>{item.label}</span>
    {item.hint && <span className="end">{item.hint}</span>}
    {item.keys && (
      <span className="end">
        <Kbd keys={item.keys} />
      </span>
    )}
    {item.checked && (
      <span className="end">
        <Icon of={Check} />
      </span>
    )}
  </MenuItem>
)

/** The list itself; for menus opened from elsewhere (a row, a context key) inside `FloatingMenu`. */
function MenuList({ items, label, onClose }: { items: MenuEntry[]; label?: string; onClose?: () => void }) {
  return (
    <AriaMenu className="k-menu" aria-label={label} autoFocus="first" onClose={onClose}>
      {items.map((entry, i) =>
        entry === 'line' ? (
          <Separator key={`line-${i}`} className="k-menu-line" />
        ) : 'group' in entry ? (
          <MenuSection key={`group-${i}`} id={`group-${i}`}>
            <Header className="k-group">{entry.group}</Header>
            {entry.items.map((item) => (
              <Item key={item.key} of={item} />
            ))}
          </MenuSection>
        ) : (
          <Item key={entry.key} of={entry} />
        ),
      )}
    </AriaMenu>
  )
}

export interface MenuProps {
  /** A Button of the kit. */
  trigger: ReactElement
  items: MenuEntry[]
  label?: string
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end'
}

/** Actions behind a button. Arrows, first letters and Escape work; focus returns to the button. */
export function Menu({ trigger, items, label, placement = 'bottom end' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="k-pop" placement={placement} offset={4}>
        <MenuList items={items} label={label} />
      </Popover>
    </MenuTrigger>
  )
}

export interface FloatingMenuProps {
  items: MenuEntry[]
  label?: string
  /** What it hangs on; undefined keeps it closed. */
  anchor: RefObject<Element | null>
  isOpen: boolean
  onClose: () => void
}

/** A menu shown at any element: one for a whole table instead of one for every row. */
export function FloatingMenu({ items, label, anchor, isOpen, onClose }: FloatingMenuProps) {
  const t = useWords()
  return (
    <Popover
      className="k-pop"
      placement="bottom end"
      offset={4}
      triggerRef={anchor}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      aria-label={label ?? t('kit.actions.more')}
    >
      <MenuList items={items} label={label ?? t('kit.actions.more')} onClose={onClose} />
    </Popover>
  )
}
