/* oxlint-disable jsx-a11y/control-has-associated-label, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex --
   a grid: its rows take focus in turn and its body their keys; its empty cells are no controls; a box that scrolls must be reachable */
import { ArrowDown, ArrowUp, Ellipsis } from 'lucide-react'
import {
  memo,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import { ButtonContext } from 'react-aria-components/Button'
import { LinkContext, type LinkProps } from 'react-aria-components/Link'
import { useWords } from '../words/words.tsx'
import { toBeside, typedCells } from './columnKeys.ts'
import { Icon } from './Icon.tsx'
import { FloatingMenu, nearMenu } from './Menu.tsx'
import { RowCards } from './RowCards.tsx'
import { choose, onTableKey, type Hand } from './tableKeys.ts'
import type { Column, DataTableProps, Density, Sort } from './tableProps.ts'
import { usePhone } from './useMedia.ts'
import { useSharedRoom } from './useSharedRoom.ts'
import { useWindowed } from './useWindowed.ts'

export type { Column, DataTableProps, Density, Sort, TableHand } from './tableProps.ts'

interface Deeds<R> {
  open: (row: R, event?: React.MouseEvent) => void
  /** Whether a row opens by an action, and not by its address alone. */
  opens: boolean
  tick: (row: number, range: boolean) => void
  menu: (row: number, anchor: Element) => void
  focus: (row: number) => void
}

const interactive = 'a, button, input, label, select, [role="button"]'

/**
 * The ledger. Arrows, Home, End and Page keys move the cursor, Space ticks, Shift takes a range, Enter opens,
 * Shift+F10 shows the row's menu, Escape clears. Between cells that are typed in, the arrows and Enter go up
 * and down. Under 640 px the rows are cards with two facts each. Above 200 rows only those in sight are
 * drawn.
 */
export function DataTable<R>(props: DataTableProps<R>) {
  const { columns, rows, rowKey, loading, empty } = props
  const phone = usePhone()
  if (rows.length === 0 && !loading && empty !== undefined) return <div className="k-tbl">{empty}</div>
  if (phone && (rows.length > 0 || loading)) return <RowCards {...props} columns={columns} rowKey={rowKey} />
  return <Ledger {...props} />
}

function Ledger<R>(props: DataTableProps<R>) {
  const {
    label,
    rows,
    rowKey,
    rowName,
    sort,
    onSort,
    selected,
    onSelect,
    onOpen,
    rowHref,
    menu,
    isOff,
    isNew,
    isSum,
    widths,
  } = props
  const t = useWords()
  const own = widths?.of
  const columns = useMemo(
    () => (own ? props.columns.map((column) => withOwn(column, own[column.key])) : props.columns),
    [props.columns, own],
  )
  const wrap = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const moved = useRef(false)
  const [cursor, setCursor] = useState(0)
  const [anchor, setAnchor] = useState(0)
  // To a row that has the cursor already, the focus goes all the same.
  const [, setCalls] = useState(0)
  const [menuAt, setMenuAt] = useState<{ row: number; element: Element }>()
  const wide = useOverflow(wrap)
  const density = props.density ?? 'compact'
  const rowHeight = useRowHeight(body, density, rows.length)
  const windowed = rows.length > 200
  const { from, to } = useWindowed(body, rows.length, rowHeight, windowed)

  const keys = rows.map((row) => (isSum?.(row) ? undefined : rowKey(row)))
  const records = keys.filter((key) => key !== undefined)
  useSharedRoom(
    wrap,
    `${columns.map((column) => `${column.key} ${column.title} ${widths?.of[column.key] ?? ''}`).join()} ${keys.join()}`,
  )
  const hand: Hand = { cursor, anchor, selected: selected ?? new Set() }
  const acts = Boolean(onOpen || onSelect || menu)
  const rover = keys[cursor] === undefined ? keys.findIndex((key) => key !== undefined) : cursor

  // The row that Tab reaches: the cursor's, or the first in sight when the cursor has been scrolled away.
  const stop =
    rover >= from && rover < to ? rover : keys.findIndex((key, i) => i >= from && key !== undefined)

  const take = (next: Hand) => {
    setCursor(next.cursor)
    setAnchor(next.anchor)
    if (next.selected !== hand.selected) onSelect?.(next.selected)
  }
  const rowAt = (i: number) => body.current?.querySelector<HTMLElement>(`[data-row="${i}"]`)
  const goTo = (i = rover) => {
    if (keys[i] === undefined) return
    moved.current = true
    if (windowed && !rowAt(i)) scrollToRow(body, i, rowHeight)
    setCursor(i)
    setAnchor(i)
    setCalls((n) => n + 1)
  }
  useImperativeHandle(props.hand, () => ({ goTo }))
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- whatever was drawn may have moved the row; it is put once and then agrees
  useLayoutEffect(() => {
    if (!moved.current) {
      // Rows above have come or gone: the cursor stays with the focused row, wherever that is now.
      const at = Number(document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset.row)
      if (at !== cursor && at >= 0 && rowAt(at)?.contains(document.activeElement)) {
        setCursor(at)
        setAnchor(at)
      }
      return
    }
    const row = rowAt(cursor)
    if (!row) return
    moved.current = false
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  })

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (toBeside(event) || !acts) return
    if (
      event.target !== event.currentTarget &&
      !(event.target as Element).matches('tr') &&
      event.key !== 'Escape' &&
      !event.key.startsWith('Arrow')
    )
      return
    const page = Math.max(1, Math.floor(innerHeight / rowHeight) - 3)
    const answer = onTableKey(
      { ...hand, cursor: rover },
      { key: event.key, shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey },
      keys,
      Boolean(onSelect),
      page,
    )
    if (!answer) return
    const row = rows[rover]
    if (answer.deed === 'open' && row !== undefined) {
      const deed = props.onEnter ?? onOpen
      if (!deed) return
      deed(row)
    } else if (answer.deed === 'menu') {
      const element = rowAt(rover)?.querySelector('.k-rowmenu')
      if (!menu || !element) return
      setMenuAt({ row: rover, element })
    } else {
      moved.current = answer.hand.cursor !== cursor
      if (windowed && moved.current && !rowAt(answer.hand.cursor))
        scrollToRow(body, answer.hand.cursor, rowHeight)
      take(answer.hand)
    }
    event.preventDefault()
    event.stopPropagation()
  }

  const deeds = useRef<Deeds<R>>(undefined)
  useLayoutEffect(() => {
    deeds.current = {
      open: (row, event) => {
        if (event && (event.ctrlKey || event.metaKey) && rowHref)
          window.open(rowHref(row), '_blank', 'noopener')
        else onOpen?.(row)
      },
      opens: onOpen !== undefined,
      tick: (row, range) => take(choose(hand, keys, row, range)),
      menu: (row, element) => setMenuAt({ row, element }),
      focus: (row) => {
        setCursor(row)
        setAnchor(row)
      },
    }
  })

  useEffect(() => {
    if (!props.main) return
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || event.defaultPrevented) return
      // A page that was just opened has the cursor itself, and so has what stood around something that is
      // gone.
      const isSearch = event.key === 'ArrowDown' && (event.target as Element).matches('[role="search"] input')
      if (
        event.target !== document.body &&
        !isSearch &&
        !(event.target as Element).matches('#content, [data-kept]')
      )
        return
      const row = body.current?.querySelector<HTMLElement>(`tr[tabindex="0"], ${typedCells}`)
      if (!row) return
      event.preventDefault()
      row.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [props.main])

  const menuRow = menuAt && rows[menuAt.row]
  const menuAnchor = useRef<Element | null>(null)
  useLayoutEffect(() => {
    menuAnchor.current = menuAt?.element ?? null
  })
  const all = records.length > 0 && records.every((key) => hand.selected.has(key))
  const some = !all && records.some((key) => hand.selected.has(key))
  const count = columns.length + (onSelect ? 1 : 0) + (menu ? 1 : 0)
  const feet = columns.filter((column) => column.foot !== undefined)
  // A sum that nobody named is called the total, where the rows have their names.
  const isNamed = feet.some((column) => column.align !== 'amount')
  const totalAt = isNamed
    ? undefined
    : columns.find((column) => column.strong && column.align !== 'amount')?.key

  return (
    <div
      ref={wrap}
      className="k-tbl"
      data-density={density}
      data-wide={wide ? '' : undefined}
      data-opens={onOpen ? '' : undefined}
      data-columns={columns.length > 8 ? 'wide' : undefined}
      tabIndex={wide ? 0 : undefined}
      {...(wide ? { role: 'region', 'aria-label': label } : {})}
    >
      <table
        aria-label={label}
        {...(acts
          ? {
              role: 'grid',
              'aria-multiselectable': onSelect ? true : undefined,
              'aria-rowcount': windowed ? rows.length + 1 : undefined,
            }
          : {})}
        aria-busy={props.loading || undefined}
      >
        <thead>
          <Bands columns={columns} before={onSelect ? 1 : 0} after={menu ? 1 : 0} />
          <tr>
            {onSelect && (
              <th className="tick" scope="col">
                <label>
                  <input
                    type="checkbox"
                    className="k-box"
                    aria-label={t('kit.table.selectAll')}
                    checked={all}
                    ref={(box) => {
                      if (box) box.indeterminate = some
                    }}
                    onChange={() => onSelect(new Set(all || some ? [] : records))}
                  />
                </label>
              </th>
            )}
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} widths={widths} />
            ))}
            {menu && (
              <th className="fit acts" scope="col">
                <span className="vh">{t('kit.actions.more')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown} onFocus={menu ? nearMenu : undefined}>
          {props.loading && rows.length === 0
            ? Array.from({ length: props.skeletons ?? 8 }, (_, i) => (
                <tr key={i} data-skeleton="" aria-hidden>
                  {onSelect && <td className="tick" />}
                  {columns.map((column) => (
                    <td key={column.key} className={cellClass(column)}>
                      <span
                        className="k-sk"
                        style={{
                          inlineSize: column.align
                            ? undefined
                            : `${45 + ((i * 17 + column.key.length * 29) % 45)}%`,
                        }}
                      />
                    </td>
                  ))}
                  {menu && <td className="acts" />}
                </tr>
              ))
            : null}
          {from > 0 && (
            <tr aria-hidden style={{ blockSize: from * rowHeight }}>
              <td colSpan={count} style={{ padding: 0 }} />
            </tr>
          )}
          {rows.slice(from, to).map((row, at) => {
            const i = from + at
            const key = keys[i]
            return (
              <TableRow
                key={key ?? `sum-${rowKey(row)}`}
                row={row}
                index={i}
                columns={columns}
                name={key === undefined ? '' : (rowName?.(row) ?? key)}
                href={rowHref?.(row)}
                isSum={key === undefined}
                isOff={isOff?.(row) ?? false}
                isNew={isNew?.(row) ?? false}
                isCursor={acts && i === stop}
                isSelected={key !== undefined && hand.selected.has(key)}
                selectable={Boolean(onSelect)}
                acts={acts}
                hasMenu={key !== undefined && (menu?.(row).length ?? 0) > 0}
                menuColumn={Boolean(menu)}
                menuOpen={menuAt?.row === i}
                windowed={windowed}
                deeds={deeds as RefObject<Deeds<R>>}
              />
            )
          })}
          {to < rows.length && (
            <tr aria-hidden style={{ blockSize: (rows.length - to) * rowHeight }}>
              <td colSpan={count} style={{ padding: 0 }} />
            </tr>
          )}
        </tbody>
        {feet.length > 0 && rows.length > 0 && (
          <tfoot>
            <tr>
              {onSelect && <td className="tick" />}
              {columns.map((column) => (
                <td key={column.key} className={column.align === 'amount' ? 'amount' : undefined}>
                  {column.foot ?? (column.key === totalAt ? t('kit.table.total') : null)}
                </td>
              ))}
              {menu && <td className="acts" />}
            </tr>
          </tfoot>
        )}
      </table>
      {menu && menuRow !== undefined && (
        <FloatingMenu
          items={menu(menuRow)}
          label={t('kit.table.actionsOf', { name: rowName?.(menuRow) ?? rowKey(menuRow) })}
          anchor={menuAnchor}
          isOpen
          onClose={() => setMenuAt(undefined)}
        />
      )}
    </div>
  )
}

/** The words over pairs of columns, when there are any. */
function Bands<R>({
  columns,
  before,
  after,
}: {
  columns: readonly Column<R>[]
  before: number
  after: number
}) {
  if (!columns.some((column) => column.band)) return null
  const bands: { band: string | undefined; span: number }[] = []
  for (const { band } of columns) {
    const last = bands.at(-1)
    if (last && last.band === band) last.span++
    else bands.push({ band, span: 1 })
  }
  return (
    <tr className="bands">
      {before > 0 && <td />}
      {bands.map(({ band, span }, i) =>
        band ? (
          <th key={i} scope="colgroup" colSpan={span}>
            <span>{band}</span>
          </th>
        ) : (
          <td key={i} colSpan={span} />
        ),
      )}
      {after > 0 && <td />}
    </tr>
  )
}

/** A column whose width somebody chose: its words are cut at it, its figures never. */
const withOwn = <R,>(column: Column<R>, width: number | undefined): Column<R> =>
  width === undefined ? column : { ...column, width: `${width}px` }

interface HeadCellProps<R> {
  column: Column<R>
  sort?: Sort | null
  onSort?: (sort: Sort) => void
  widths?: DataTableProps<R>['widths']
}

function HeadCell<R>({ column, sort, onSort, widths }: HeadCellProps<R>) {
  const sorted = sort?.key === column.key ? sort.direction : undefined
  const width = column.width && column.width !== 'fit' && column.width !== 'trim' ? column.width : undefined
  const own = widths?.of[column.key]
  const head = useRef<HTMLTableCellElement>(null)
  const grip = widths && <Grip head={head} onWidth={(to) => widths.onWidth(column.key, to)} />
  return (
    <th
      ref={head}
      scope="col"
      className={
        column.align === 'amount'
          ? 'amount'
          : column.align === 'middle' || column.width === 'fit'
            ? 'fit'
            : undefined
      }
      data-width={width}
      data-own={own === undefined ? undefined : ''}
      style={
        width
          ? {
              inlineSize: width,
              ...(own === undefined ? {} : { minInlineSize: width, maxInlineSize: width }),
            }
          : undefined
      }
      aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {column.sort && onSort ? (
        <button
          type="button"
          className="sort"
          aria-keyshortcuts={widths ? 'Shift+ArrowLeft Shift+ArrowRight' : undefined}
          onKeyDown={(event) => {
            if (
              !widths ||
              !event.shiftKey ||
              (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') ||
              !head.current
            )
              return
            event.preventDefault()
            widths.onWidth(
              column.key,
              bounded(head.current.offsetWidth + (event.key === endKey(head.current) ? byKey : -byKey)),
            )
          }}
          onClick={() =>
            onSort({
              key: column.key,
              direction:
                sorted === 'asc'
                  ? 'desc'
                  : sorted === 'desc'
                    ? 'asc'
                    : column.align === 'amount'
                      ? 'desc'
                      : 'asc',
            })
          }
        >
          {column.title}
          {sorted && <Icon of={sorted === 'asc' ? ArrowUp : ArrowDown} size="s" />}
        </button>
      ) : (
        column.title
      )}
      {grip}
    </th>
  )
}

/** Pixels by which a key widens or narrows. */
const byKey = 16
const bounded = (width: number): number => Math.round(Math.min(900, Math.max(56, width)))
const isRtl = (element: Element): boolean => getComputedStyle(element).direction === 'rtl'
const endKey = (element: Element): string => (isRtl(element) ? 'ArrowLeft' : 'ArrowRight')

/**
 * The edge a column is widened by with the mouse; twice pressed, the column takes what it needs again. Keys
 * do the same on its head.
 */
function Grip({
  head,
  onWidth,
}: {
  head: RefObject<HTMLTableCellElement | null>
  onWidth: (width: number | undefined) => void
}) {
  const t = useWords()
  const from = useRef<{ x: number; width: number }>(undefined)
  return (
    <span
      className="grip"
      aria-hidden
      title={t('kit.table.widen')}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, width: head.current!.offsetWidth }
      }}
      onPointerMove={(event) => {
        if (!from.current) return
        const moved = event.clientX - from.current.x
        if (Math.abs(moved) > 2)
          onWidth(bounded(from.current.width + (isRtl(head.current!) ? -moved : moved)))
      }}
      onPointerUp={() => void (from.current = undefined)}
      onPointerCancel={() => void (from.current = undefined)}
      onDoubleClick={() => onWidth(undefined)}
    />
  )
}

const cellClass = (column: Column<never>): string =>
  [
    column.align === 'amount' && 'amount',
    (column.width === 'fit' || column.align === 'middle') && 'fit',
    column.width && column.width !== 'fit' && !column.align && 'trim',
    column.strong && 'strong',
  ]
    .filter(Boolean)
    .join(' ')

/** A text that its column may cut is whole in its title. */
const Whole = ({ of }: { of: ReactNode }) =>
  typeof of === 'string' && of !== '' ? <span title={of}>{of}</span> : of

interface TableRowProps<R> {
  row: R
  index: number
  columns: readonly Column<R>[]
  name: string
  href: string | undefined
  isSum: boolean
  isOff: boolean
  isNew: boolean
  isCursor: boolean
  isSelected: boolean
  selectable: boolean
  acts: boolean
  /** Something can be done with this very row. */
  hasMenu: boolean
  menuColumn: boolean
  menuOpen: boolean
  windowed: boolean
  deeds: RefObject<Deeds<R>>
}

/**
 * Links and buttons of other rows than the cursor's: with two hundred of them nobody would reach the part after the
 * list by the Tab key.
 */
const passedBy = { excludeFromTabOrder: true }
/** The library's links know it too, and do not say so. */
const linkPassedBy: LinkProps & typeof passedBy = passedBy

function PlainRow<R>(props: TableRowProps<R>) {
  const {
    row,
    index,
    columns,
    name,
    href,
    isSum,
    isCursor,
    isSelected,
    selectable,
    acts,
    hasMenu,
    menuColumn,
    deeds,
  } = props
  const t = useWords()
  const live = acts && !isSum
  return (
    <tr
      data-row={index}
      data-kind={isSum ? 'sum' : undefined}
      data-off={props.isOff ? '' : undefined}
      data-new={props.isNew ? '' : undefined}
      data-cursor={props.menuOpen ? '' : undefined}
      aria-selected={live && selectable ? isSelected : undefined}
      aria-rowindex={props.windowed ? index + 2 : undefined}
      tabIndex={live ? (isCursor ? 0 : -1) : undefined}
      onFocus={live && !isCursor ? () => deeds.current.focus(index) : undefined}
      onClick={
        live
          ? (event) =>
              !(event.target as Element).closest(interactive) &&
              getSelection()?.isCollapsed !== false &&
              deeds.current.open(row, event)
          : undefined
      }
      onContextMenu={
        live && hasMenu
          ? (event) => {
              const element = event.currentTarget.querySelector('.k-rowmenu')
              if (!element || (event.target as Element).closest('a, input')) return
              event.preventDefault()
              deeds.current.menu(index, element)
            }
          : undefined
      }
    >
      {selectable && (
        <td className="tick">
          {!isSum && (
            <label>
              <input
                type="checkbox"
                className="k-box"
                tabIndex={isCursor ? 0 : -1}
                aria-label={t('kit.table.select', { name })}
                checked={isSelected}
                onChange={(event) => deeds.current.tick(index, (event.nativeEvent as MouseEvent).shiftKey)}
              />
            </label>
          )}
        </td>
      )}
      <LinkContext value={live && !isCursor ? linkPassedBy : null}>
        <ButtonContext value={live && !isCursor ? passedBy : null}>
          {columns.map((column) => (
            <td key={column.key} className={cellClass(column as Column<never>) || undefined}>
              {column.strong && href && !isSum ? (
                <a
                  href={href}
                  tabIndex={-1}
                  onClick={(event) => {
                    // A row that has only an address is a link like any other.
                    if (
                      event.ctrlKey ||
                      event.metaKey ||
                      event.shiftKey ||
                      event.button !== 0 ||
                      !deeds.current.opens
                    )
                      return
                    event.preventDefault()
                    deeds.current.open(row)
                  }}
                >
                  <Whole of={column.cell(row)} />
                </a>
              ) : (
                <Whole of={column.cell(row)} />
              )}
            </td>
          ))}
        </ButtonContext>
      </LinkContext>
      {menuColumn && (
        <td className="acts">
          {hasMenu && (
            <button
              type="button"
              className="k-rowmenu"
              tabIndex={isCursor ? 0 : -1}
              aria-label={t('kit.table.actionsOf', { name })}
              aria-haspopup="menu"
              aria-expanded={props.menuOpen}
              onClick={(event) => deeds.current.menu(index, event.currentTarget)}
            >
              <Icon of={Ellipsis} />
            </button>
          )}
        </td>
      )}
    </tr>
  )
}

/**
 * Drawn again only when something of its own changed: moving the cursor touches two rows, not two hundred.
 */
const TableRow = memo(PlainRow) as typeof PlainRow

/**
 * Whether the table is wider than its place; then it scrolls separately, in both directions, under its sticky head.
 */
function useOverflow(wrap: RefObject<HTMLElement | null>): boolean {
  const [wide, setWide] = useState(false)
  useEffect(() => {
    const element = wrap.current
    const table = element?.firstElementChild
    if (!element || !table) return
    const watch = new ResizeObserver(() => setWide(table.scrollWidth > element.clientWidth + 1))
    watch.observe(element)
    watch.observe(table)
    return () => watch.disconnect()
  }, [wrap])
  return wide
}

const heights: Record<Density, number> = { comfortable: 44, compact: 36, dense: 28 }

function useRowHeight(bodyRef: RefObject<HTMLElement | null>, density: Density, count: number): number {
  const [measured, setMeasured] = useState(0)
  const hasRows = count > 0
  useLayoutEffect(() => {
    const row = bodyRef.current?.querySelector<HTMLElement>('tr[data-row]')
    if (row) setMeasured(row.getBoundingClientRect().height)
  }, [bodyRef, density, hasRows])
  return measured || heights[density]
}

function scrollToRow(body: RefObject<HTMLElement | null>, row: number, height: number) {
  const element = body.current
  if (!element) return
  const box = element.closest('[data-wide]')
  const top = element.getBoundingClientRect().top + row * height
  if (box) box.scrollTop += top - box.getBoundingClientRect().top - box.clientHeight / 2
  else scrollBy({ top: top - innerHeight / 2 })
}
