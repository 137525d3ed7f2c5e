import { Columns3, Rows3 } from 'lucide-react'
import { FlagField } from '../fields/FlagField.tsx'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import type { Density } from './DataTable.tsx'
import { Menu } from './Menu.tsx'
import { Popover } from './Popover.tsx'

/** Which density, kept by the caller per person and table. */
export function DensityMenu({ value, onChange }: { value: Density; onChange: (density: Density) => void }) {
  const t = useWords()
  return (
    <Menu
      label={t('kit.table.density')}
      items={(['comfortable', 'compact', 'dense'] as const).map((key) => ({
        key,
        label: t(`kit.table.${key}`),
        checked: key === value,
        onPress: () => onChange(key),
      }))}
      trigger={<Button kind="quiet" size="s" icon={Rows3} label={t('kit.table.density')} />}
    />
  )
}

export interface ColumnsMenuProps {
  columns: readonly { key: string; title: string }[]
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

/** Which columns are shown, kept by the caller; the last one cannot be hidden. */
export function ColumnsMenu({ columns, hidden, onChange }: ColumnsMenuProps) {
  const t = useWords()
  return (
    <Popover
      label={t('kit.table.columns')}
      placement="bottom end"
      trigger={<Button kind="quiet" size="s" icon={Columns3} label={t('kit.table.columns')} />}
    >
      <div className="grid gap-2">
        {columns.map((column) => {
          const shown = !hidden.has(column.key)
          return (
            <FlagField
              key={column.key}
              label={column.title}
              value={shown}
              disabled={shown && columns.length - hidden.size === 1}
              onChange={(on) => {
                const next = new Set(hidden)
                if (on) next.delete(column.key)
                else next.add(column.key)
                onChange(next)
              }}
            />
          )
        })}
      </div>
    </Popover>
  )
}
