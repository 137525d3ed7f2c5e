import type { LucideIcon } from 'lucide-react'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { Button } from '../parts/Button.tsx'
import type { MenuEntry } from '../parts/Menu.tsx'
import { fetchAhead, fetchPart } from '../calls/fetchPart.ts'

const importMenu = () => fetchPart(() => import('../parts/Menu.tsx'))
const FloatingMenu = lazy(() => importMenu().then(({ FloatingMenu }) => ({ default: FloatingMenu })))

export interface LazyMenuProps {
  label: string
  items: MenuEntry[]
  trigger: { icon?: LucideIcon; text?: ReactNode; label: string; className?: string }
}

/** A menu of the frame whose code comes with the first touch: the first page stays light. */
export function LazyMenu({ label, items, trigger }: LazyMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <span
      className="s-lazy"
      onPointerEnter={() => fetchAhead(importMenu)}
      onFocus={() => fetchAhead(importMenu)}
    >
      <Button
        ref={button}
        kind="quiet"
        icon={trigger.icon}
        label={trigger.label}
        className={trigger.className}
        hasPopup="menu"
        expanded={isOpen}
        onPress={() => {
          setWanted(true)
          setOpen(true)
        }}
      >
        {trigger.text}
      </Button>
      {wanted && (
        <Suspense>
          <FloatingMenu
            items={items}
            label={label}
            anchor={button}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </span>
  )
}
