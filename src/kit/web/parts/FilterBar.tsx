import { ListFilter, Plus, Search, X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'
import { Menu } from './Menu.tsx'
import { Popover } from './Popover.tsx'
import { Chip } from './Status.tsx'
import { useKeys } from './useKeys.ts'

export interface Filter {
  key: string
  label: string
  /** The set value in words; undefined while the filter is not set. */
  value?: ReactNode
  /** The control that sets it, shown in a small window under the chip; it is given the way to close it. */
  edit: (close: () => void) => ReactNode
  onClear: () => void
}

export interface FilterBarProps {
  /**
   * The text of the search field; undefined leaves the field out. `/` reaches it from anywhere on the page.
   */
  search?: string
  onSearch?: (text: string) => void
  placeholder?: string
  filters?: readonly Filter[]
  /** Shown when anything is set. */
  onClear?: () => void
  /** At the inline end: save view, columns, density. */
  end?: ReactNode
}

/** Over a list: search, what is set as green chips "field: value ×", and "+ filter" for the rest. */
export function FilterBar({ search, onSearch, placeholder, filters = [], onClear, end }: FilterBarProps) {
  const t = useWords()
  const box = useRef<HTMLInputElement>(null)
  const [editing, setEditing] = useState<string>()
  useKeys(search === undefined ? {} : { '/': () => box.current?.focus() })
  const set = filters.filter((filter) => filter.value !== undefined || filter.key === editing)
  const rest = filters.filter((filter) => !set.includes(filter))
  return (
    <div className="k-filters" role="search" aria-label={t('kit.filters.label')}>
      {search !== undefined && (
        <div className="k-search">
          <Icon of={Search} size="s" />
          <input
            ref={box}
            type="search"
            // An empty field is left to right by "auto", which would put the Hebrew hint at the wrong side.
            dir={search ? 'auto' : undefined}
            aria-label={placeholder ?? t('kit.filters.search')}
            placeholder={placeholder ?? t('kit.filters.search')}
            value={search}
            autoComplete="off"
            onChange={(event) => onSearch?.(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              if (search === '') box.current?.blur()
              else onSearch?.('')
            }}
          />
          {search === '' ? (
            <Kbd keys="/" />
          ) : (
            <Button
              kind="quiet"
              size="xs"
              icon={X}
              label={t('kit.actions.clear')}
              onPress={() => onSearch?.('')}
            />
          )}
        </div>
      )}
      {set.map((filter) => (
        <Popover
          key={filter.key}
          label={filter.label}
          isOpen={editing === filter.key}
          onOpenChange={(open) => setEditing(open ? filter.key : undefined)}
          trigger={
            filter.value === undefined ? (
              <Chip on>{filter.label}</Chip>
            ) : (
              <Chip
                on
                onRemove={filter.onClear}
                removeLabel={t('kit.filters.remove', { name: filter.label })}
              >
                <span>{filter.label}:</span> <b>{filter.value}</b>
              </Chip>
            )
          }
        >
          {() => filter.edit(() => setEditing(undefined))}
        </Popover>
      ))}
      {rest.length > 0 && (
        <Menu
          placement="bottom start"
          label={t('kit.filters.add')}
          items={rest.map((filter) => ({
            key: filter.key,
            label: filter.label,
            onPress: () => setEditing(filter.key),
          }))}
          trigger={
            <Chip add icon={set.length === 0 ? ListFilter : Plus}>
              {t('kit.filters.add')}
            </Chip>
          }
        />
      )}
      {onClear && set.length > 1 && (
        <Button kind="quiet" size="s" onPress={onClear}>
          {t('kit.filters.clear')}
        </Button>
      )}
      {end && <span className="end">{end}</span>}
    </div>
  )
}
