import { Check } from 'lucide-react'
import { Header } from 'react-aria-components/Header'
import { Menu as AriaMenu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { useWords } from '../words/words.tsx'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'
import type { FloatingMenuProps, MenuAction, MenuEntry } from './Menu.tsx'

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

/** What a menu shows. Menu.tsx fetches it with the first touch. */
export default function MenuPopover({
  items,
  label,
  anchor,
  isOpen,
  onClose,
  placement = 'bottom end',
}: FloatingMenuProps) {
  const t = useWords()
  return (
    <Popover
      className="k-pop"
      placement={placement}
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
