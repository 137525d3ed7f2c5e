/* oxlint-disable jsx-a11y/no-static-element-interactions -- the span has no box: it handles the events of its button */
import type { LucideIcon } from 'lucide-react'
import {
  cloneElement,
  lazy,
  Suspense,
  useRef,
  useState,
  type ReactElement,
  type Ref,
  type RefObject,
} from 'react'
import { fetchAhead, fetchPart } from '../calls/fetchPart.ts'

interface MenuLooks {
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
}

/** Leads somewhere or does something: an entry that does neither is no entry. */
export type MenuAction = MenuLooks &
  ({ href: string; onPress?: () => void } | { href?: undefined; onPress: () => void })

/** An action, a hairline, or a headed group of actions. */
export type MenuEntry = MenuAction | 'line' | { group: string; items: MenuAction[] }

type Placement = 'bottom start' | 'bottom end' | 'top start' | 'top end'

/** What a Button or a Chip takes to be the trigger of something. */
interface Trigger {
  ref?: Ref<HTMLButtonElement>
  onPress?: () => void
  expanded?: boolean
  hasPopup?: 'menu'
  label?: string
}

export interface MenuProps {
  /** A Button or a Chip of the kit. */
  trigger: ReactElement<Trigger>
  items: MenuEntry[]
  label?: string
  placement?: Placement
}

export interface FloatingMenuProps {
  items: MenuEntry[]
  label?: string
  /** What it hangs on. */
  anchor: RefObject<Element | null>
  isOpen: boolean
  onClose: () => void
  placement?: Placement
}

// A third of all the kit's script is the menu's own: it comes when a hand or the focus first nears one.
const fetchPopover = () => fetchPart(() => import('./MenuPopover.tsx'))
const MenuPopover = lazy(fetchPopover)
/** A hand or the focus is near a menu. */
export const nearMenu = (): void => fetchAhead(fetchPopover)

/** Actions behind a button. Arrows, first letters and Escape work; focus returns to the button. */
export function Menu({ trigger, items, label, placement }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <span
      className="contents"
      onPointerEnter={nearMenu}
      onFocus={nearMenu}
      onKeyDown={(event) => {
        if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || event.target !== button.current) return
        event.preventDefault()
        setOpen(true)
      }}
    >
      {cloneElement(trigger, {
        ref: button,
        onPress: () => setOpen(true),
        expanded: isOpen,
        hasPopup: 'menu',
      })}
      <FloatingMenu
        items={items}
        label={label ?? trigger.props.label}
        placement={placement}
        anchor={button}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </span>
  )
}

/** A menu shown at any element: one for a whole table instead of one for every row. */
export function FloatingMenu(props: FloatingMenuProps) {
  const [wanted, setWanted] = useState(props.isOpen)
  if (props.isOpen && !wanted) setWanted(true)
  return wanted ? (
    <Suspense>
      <MenuPopover {...props} />
    </Suspense>
  ) : null
}
