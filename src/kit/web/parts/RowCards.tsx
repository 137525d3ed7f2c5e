import { Ellipsis } from 'lucide-react'
import { Fragment, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Icon } from './Icon.tsx'
import { FloatingMenu } from './Menu.tsx'
import { PlainCells } from './plainCells.ts'
import type { Column, DataTableProps } from './tableProps.ts'

/** Held so long, a card is chosen instead of opened. */
const HOLD_MS = 450

/**
 * A column's closing total needs its full name: a heading over neighbours on a desktop is over nothing here.
 */
const fullName = <R,>({ band, title }: Column<R>): string => (band ? `${band} · ${title}` : title)

const named = <R,>(column: Column<R>, row: R): ReactNode =>
  column.named?.(row) && <span className="k-pc-name">{column.title} </span>

/**
 * The rows of a table on a phone. Line one: name and sum. Line two: kind, number, day and state. The whole
 * card opens.
 */
export function RowCards<R>({
  label,
  columns,
  rows,
  rowKey,
  rowName,
  selected,
  onSelect,
  onOpen,
  rowHref,
  menu,
  phoneMenu = true,
  isOff,
  isSum,
  loading,
  skeletons = 6,
  phoneGroup,
}: DataTableProps<R>) {
  const t = useWords()
  const [menuOf, setMenuOf] = useState<string>()
  const anchor = useRef<Element | null>(null)
  const menuRow = menuOf === undefined ? undefined : rows.find((row) => rowKey(row) === menuOf)
  const nameOf = (row: R) => t('kit.table.actionsOf', { name: rowName?.(row) ?? rowKey(row) })
  const held = useRef<{ timer?: ReturnType<typeof setTimeout>; done?: boolean }>({})
  const at = (place: Column<R>['phone']) => columns.filter((column) => column.phone === place)
  const marked = columns.some((column) => column.phone)
  const title = marked ? at('title') : [columns.find((column) => column.strong) ?? columns[0]!]
  const amount = marked ? at('amount') : columns.filter((column) => column.align === 'amount').slice(-1)
  const line = marked
    ? at('line')
    : columns.filter((column) => !title.includes(column) && column.align !== 'amount').slice(0, 2)
  const isOfFigures = line.length > 0 && line.every((column) => column.align === 'amount')
  const state = at('state')
  // The total of what the cards show is under their figures, every other one below it by its name.
  const sums = columns.filter((column) => column.foot !== undefined)
  const sumName = sums.find((column) => column.align !== 'amount')?.foot ?? t('kit.table.total')
  const below = amount.filter((column) => sums.includes(column))
  const under = below.length === 1 ? below[0] : undefined
  const apart = sums.filter((column) => column.align === 'amount' && column !== under)
  const toggle = (key: string) => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    onSelect?.(next)
  }
  if (loading && rows.length === 0)
    return (
      <ul className="k-cards" aria-label={label} aria-busy>
        {Array.from({ length: skeletons }, (_, i) => (
          <li key={i}>
            <div className="k-pc k-skeleton">
              <span className="k-sk" style={{ inlineSize: `${50 + ((i * 17) % 40)}%` }} />
              <span className="k-sk" style={{ inlineSize: '4rem' }} />
              <span className="k-sk" style={{ inlineSize: `${30 + ((i * 23) % 30)}%` }} />
            </div>
          </li>
        ))}
      </ul>
    )
  const heads = rows.map((row) => phoneGroup?.(row))
  return (
    <>
      <ul className="k-cards" aria-label={label}>
        {rows.map((row, i) => {
          const key = rowKey(row)
          const hasMenu = phoneMenu && !isSum?.(row) && (menu?.(row).length ?? 0) > 0
          const head = heads[i]
          const isNewGroup = head !== undefined && head.key !== heads[i - 1]?.key
          const isChosen = selected?.has(key) ?? false
          const inside = (
            <PlainCells value>
              <span className="h cut">
                {title.map((column) => (
                  <Fragment key={column.key}>{column.cell(row)} </Fragment>
                ))}
                {isChosen && <span className="vh">{t('kit.table.chosen')}</span>}
              </span>
              <span className="h end">
                {amount.map((column) => (
                  <Fragment key={column.key}>
                    {named(column, row)}
                    {column.cell(row)}
                  </Fragment>
                ))}
              </span>
              <span className="k-pc-more">
                <span className="s" data-figures={isOfFigures ? '' : undefined}>
                  {line.map((column) => (
                    <span key={column.key}>
                      {named(column, row)}
                      {column.cell(row)}
                    </span>
                  ))}
                </span>
                {state.length > 0 && (
                  <span className="s end">
                    {state.map((column) => (
                      <span key={column.key}>{column.cell(row)}</span>
                    ))}
                  </span>
                )}
              </span>
            </PlainCells>
          )
          const looks = {
            className: 'k-pc',
            'data-kind': isSum?.(row) ? 'sum' : undefined,
            'data-off': isOff?.(row) ? '' : undefined,
            'data-selected': isChosen ? '' : undefined,
          }
          const opens = !isSum?.(row) && (onOpen || rowHref || onSelect)
          const press = {
            onPointerDown: () => {
              held.current.done = false
              if (onSelect)
                held.current.timer = setTimeout(() => {
                  held.current.done = true
                  toggle(key)
                }, HOLD_MS)
            },
            onPointerUp: () => clearTimeout(held.current.timer),
            onPointerCancel: () => clearTimeout(held.current.timer),
            onPointerLeave: () => clearTimeout(held.current.timer),
            onContextMenu: (event: React.MouseEvent) => onSelect && event.preventDefault(),
            onClick: (event: React.MouseEvent) => {
              if (event.ctrlKey || event.metaKey) return
              event.preventDefault()
              if (held.current.done) return
              // Where nothing opens, there is nothing to do with a card but choose it.
              if ((selected && selected.size > 0) || (!onOpen && !rowHref?.(row))) toggle(key)
              else onOpen?.(row)
            },
          }
          return (
            <Fragment key={key}>
              {isNewGroup && (
                <li className="k-card-head">
                  <span>{head.title}</span>
                  <span>{head.sum}</span>
                </li>
              )}
              <li data-menu={hasMenu ? '' : undefined}>
                {!opens ? (
                  <div {...looks}>{inside}</div>
                ) : rowHref?.(row) ? (
                  <a {...looks} {...press} href={rowHref(row)}>
                    {inside}
                  </a>
                ) : (
                  <button type="button" {...looks} {...press}>
                    {inside}
                  </button>
                )}
                {hasMenu && (
                  <button
                    type="button"
                    className="k-cardmenu"
                    aria-label={nameOf(row)}
                    aria-haspopup="menu"
                    aria-expanded={menuOf === key}
                    onClick={(event) => {
                      anchor.current = event.currentTarget
                      setMenuOf(key)
                    }}
                  >
                    <Icon of={Ellipsis} />
                  </button>
                )}
              </li>
            </Fragment>
          )
        })}
        {sums.length > 0 && rows.length > 0 && (
          <li>
            <div className="k-pc" data-kind="sum">
              <PlainCells value>
                <span className="h">{sumName}</span>
                {under && <span className="h end">{under.foot}</span>}
                {apart.length > 0 && (
                  <span className="k-pc-sums">
                    {apart.map((column) => (
                      <span key={column.key}>
                        {fullName(column)} <b>{column.foot}</b>
                      </span>
                    ))}
                  </span>
                )}
              </PlainCells>
            </div>
          </li>
        )}
      </ul>
      {menu && menuRow !== undefined && (
        <FloatingMenu
          items={menu(menuRow)}
          label={nameOf(menuRow)}
          anchor={anchor}
          isOpen
          onClose={() => setMenuOf(undefined)}
        />
      )}
    </>
  )
}
