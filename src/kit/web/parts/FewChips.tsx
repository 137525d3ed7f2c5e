import { Ellipsis, Plus } from 'lucide-react'
import { Menu } from './Menu.tsx'
import { Chip } from './Status.tsx'

/** The most chips in a row; the rest are behind one more. */
export const mostChips = 4

export interface FewChip {
  key: string
  label: string
  onPress: () => void
}

export interface FewChipsProps {
  /** The most useful first. */
  chips: readonly FewChip[]
  /** Names the row. */
  label: string
  /** Opens the rest. */
  more: string
  className?: string
}

/** Rare parts of a form that add themselves: at most four chips, and the rest in a menu. */
export function FewChips({ chips, label, more, className }: FewChipsProps) {
  const rest = chips.slice(mostChips)
  return (
    <div className={className} role="group" aria-label={label}>
      {chips.slice(0, mostChips).map((chip) => (
        <Chip key={chip.key} icon={Plus} onPress={chip.onPress}>
          {chip.label}
        </Chip>
      ))}
      {rest.length > 0 && (
        <Menu
          label={more}
          items={rest.map((chip) => ({ key: chip.key, label: chip.label, onPress: chip.onPress }))}
          trigger={<Chip icon={Ellipsis}>{more}</Chip>}
        />
      )}
    </div>
  )
}
