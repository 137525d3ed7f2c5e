import { EllipsisVertical, GripVertical, Plus } from 'lucide-react'
import { memo, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Collection } from 'react-aria-components/Collection'
import { GridList, GridListItem, GridListLoadMoreItem } from 'react-aria-components/GridList'
import {
  DropIndicator,
  isTextDropItem,
  useDragAndDrop,
  type ItemDropTarget,
} from 'react-aria-components/useDragAndDrop'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { useLanguage, useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { FloatingMenu, type MenuEntry } from './Menu.tsx'
import './board.css'

export interface BoardCard {
  id: string
  title: string
  columnId: string
}

export interface BoardColumnView {
  id: string
  name: string
  /** More cards than this are refused. */
  limit?: number | null
  /** At the end of its head: a sum. */
  end?: ReactNode
  color?: string
}

export interface BoardMove {
  id: string
  columnId: string
  afterId: string | null
  beforeId: string | null
  /** In which lane it was dropped. */
  lane?: string
}

export interface BoardProps<C extends BoardCard> {
  label: string
  columns: readonly BoardColumnView[]
  /** In their order within each column. */
  cards: readonly C[]
  /** Rows across the columns, each with what tells its cards. */
  lanes?: readonly { key: string; name: ReactNode; text: string }[]
  laneOf?: (card: C) => string
  face: (card: C) => ReactNode
  /** The menu of a card, above its ways to other places. */
  menu?: (card: C) => MenuEntry[]
  onOpen: (card: C) => void
  onMove?: ((move: BoardMove) => void) | undefined
  onAdd?: ((columnId: string) => void) | undefined
  /**
   * Where a card may go, for cards that move by actions: they have no order, other places are in no menu, and a drop
   * there is passed to `onRefused`. Without it every card may go everywhere.
   */
  mayGo?: (card: C, columnId: string) => boolean
  onRefused?: (card: C, columnId: string) => void
}

/**
 * So many cards of a column are known to its list at first, and so many more each time one comes near their
 * end: what it knows is gone through at every move.
 */
const known = 40

const cardType = 'application/x-pinkas-card'

/**
 * Cards in columns. Dragged by mouse and finger; by keyboard the handle picks a card up and Tab goes through the
 * places, or Ctrl with an arrow moves it at once, and where it went is read aloud. Everything the pointer can do is
 * in the card's menu too. Only cards in sight are drawn.
 */
export function Board<C extends BoardCard>(props: BoardProps<C>) {
  const { columns, cards, lanes, laneOf, label } = props
  const t = useWords()
  const { dir } = useLanguage()
  const [said, setSaid] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const anchor = useRef<Element>(null)
  const [menuOf, setMenuOf] = useState<string>()
  /** The card that was moved last: its list knows it wherever it went. */
  const [moved, setMoved] = useState<string>()
  const byColumn = useMemo(() => {
    const found = new Map<string, C[]>(columns.map(({ id }) => [id, []]))
    for (const card of cards) found.get(card.columnId)?.push(card)
    return found
  }, [columns, cards])

  const refused = ({ id, columnId }: BoardMove) => {
    const card = cards.find((one) => one.id === id)
    if (card) props.onRefused?.(card, columnId)
  }
  const move = (given: BoardMove) => {
    const card = cards.find(({ id }) => id === given.id)
    const column = columns.find(({ id }) => id === given.columnId)
    if (!card || !column || !props.onMove) return
    if (props.mayGo) {
      // Whether and when it is there is decided by the action.
      if (column.id !== card.columnId) (props.mayGo(card, column.id) ? props.onMove : refused)(given)
      return
    }
    const there = byColumn.get(column.id)!.filter(({ id }) => id !== card.id)
    if (column.id !== card.columnId && column.limit && there.length >= column.limit) {
      setSaid(t('kit.board.full', { column: column.name, limit: column.limit }))
      return
    }
    const place = given.afterId
      ? there.findIndex(({ id }) => id === given.afterId) + 2
      : given.beforeId
        ? there.findIndex(({ id }) => id === given.beforeId) + 1
        : there.length + 1
    props.onMove(given)
    setMoved(card.id)
    setSaid(t('kit.board.moved', { card: card.title, column: column.name, place, of: there.length + 1 }))
  }
  /** One step up or down, or to a column beside; Home and End of its column. */
  const step = (card: C, way: 'up' | 'down' | 'before' | 'after', list: readonly C[]) => {
    const lane = laneOf?.(card)
    const at = list.findIndex(({ id }) => id === card.id)
    if (way === 'up' && at > 0)
      move({
        id: card.id,
        columnId: card.columnId,
        afterId: list[at - 2]?.id ?? null,
        beforeId: list[at - 1]!.id,
        ...(lane ? { lane } : {}),
      })
    if (way === 'down' && at < list.length - 1)
      move({
        id: card.id,
        columnId: card.columnId,
        afterId: list[at + 1]!.id,
        beforeId: list[at + 2]?.id ?? null,
        ...(lane ? { lane } : {}),
      })
    if (way === 'before' || way === 'after') {
      const at = columns.findIndex(({ id }) => id === card.columnId)
      const beside = way === 'after' ? columns.slice(at + 1) : columns.slice(0, at).toReversed()
      const to = props.mayGo ? beside.find(({ id }) => props.mayGo!(card, id)) : beside[0]
      if (!to) return
      const first = byColumn.get(to.id)![0]
      move({
        id: card.id,
        columnId: to.id,
        afterId: null,
        beforeId: first?.id ?? null,
        ...(lane ? { lane } : {}),
      })
    }
    // The card is another element in its new place, and the hand stays on it.
    setTimeout(
      () => root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(card.id)}"]`)?.focus(),
      80,
    )
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!props.onMove || !(event.ctrlKey || event.metaKey) || !event.key.startsWith('Arrow')) return
    const key = (event.target as HTMLElement).closest<HTMLElement>('[role="row"][data-key]')?.dataset.key
    const card = cards.find(({ id }) => id === key)
    if (!card) return
    event.preventDefault()
    event.stopPropagation()
    const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const way =
      event.key === 'ArrowUp'
        ? 'up'
        : event.key === 'ArrowDown'
          ? 'down'
          : event.key === forward
            ? 'after'
            : 'before'
    const inLane = byColumn.get(card.columnId)!.filter((one) => !laneOf || laneOf(one) === laneOf(card))
    step(card, way, inLane)
  }
  const places = (card: C, list: readonly C[]): MenuEntry[] => {
    if (!props.onMove) return []
    const at = list.findIndex(({ id }) => id === card.id)
    const lane = laneOf?.(card)
    const open = columns.filter(({ id }) => id !== card.columnId && (props.mayGo?.(card, id) ?? true))
    if (open.length === 0) return []
    return [
      {
        group: t('kit.board.moveTo'),
        items: open.map((column) => ({
          key: `to:${column.id}`,
          label: column.name,
          onPress: () =>
            move({
              id: card.id,
              columnId: column.id,
              afterId: null,
              beforeId: byColumn.get(column.id)![0]?.id ?? null,
              ...(lane ? { lane } : {}),
            }),
        })),
      },
      ...(at > 0 && !props.mayGo
        ? [{ key: 'up', label: t('kit.board.up'), keys: 'Ctrl ↑', onPress: () => step(card, 'up', list) }]
        : []),
      ...(at >= 0 && at < list.length - 1 && !props.mayGo
        ? [
            {
              key: 'down',
              label: t('kit.board.down'),
              keys: 'Ctrl ↓',
              onPress: () => step(card, 'down', list),
            },
          ]
        : []),
    ]
  }
  const columnOf = (column: BoardColumnView, lane?: { key: string; text: string }) => {
    const all = byColumn.get(column.id)!
    return (
      <KeptList
        key={`${lane?.key ?? ''}:${column.id}`}
        column={column}
        laneKey={lane?.key}
        laneText={lane?.text}
        all={all}
        cards={lane && laneOf ? all.filter((one) => laneOf(one) === lane.key) : all}
        face={props.face as (card: BoardCard) => ReactNode}
        moved={all.some(({ id }) => id === moved) ? moved : undefined}
        mayMove={props.onMove !== undefined}
        mayAdd={props.onAdd !== undefined}
        deeds={deeds}
      />
    )
  }
  // The same for every drawing, so that a column whose cards are the same is not drawn again.
  const latest = useRef({ props, move })
  useLayoutEffect(() => {
    latest.current = { props, move }
  })
  const [deeds] = useState<Deeds>(() => ({
    move: (given) => latest.current.move(given),
    open: (id) => {
      const card = latest.current.props.cards.find((one) => one.id === id)
      if (card) latest.current.props.onOpen(card)
    },
    add: (columnId) => latest.current.props.onAdd?.(columnId),
    menuFor: (id, at) => {
      anchor.current = at
      setMenuOf(id)
    },
  }))
  const asked = cards.find(({ id }) => id === menuOf)
  const entries = asked
    ? [
        ...(props.menu?.(asked) ?? []),
        ...places(
          asked,
          byColumn.get(asked.columnId)?.filter((one) => !laneOf || laneOf(one) === laneOf(asked)) ?? [],
        ),
      ]
    : []
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of its cards, wherever among the columns the focus is
    <div
      ref={root}
      className="kb"
      data-lanes={lanes ? '' : undefined}
      style={{ '--kb-columns': columns.length } as React.CSSProperties}
      onKeyDownCapture={onKeyDown}
    >
      <div className="kb-scroll" role="group" aria-label={label}>
        <div className="kb-heads">
          {columns.map((column) => (
            <div key={column.id} className="kb-head">
              {column.color && <span className="kb-dot" style={{ background: column.color }} aria-hidden />}
              <h2>
                <bdi>{column.name}</bdi>
              </h2>
              <span
                className="num kb-count"
                data-full={column.limit && byColumn.get(column.id)!.length >= column.limit ? '' : undefined}
              >
                {column.limit
                  ? `${byColumn.get(column.id)!.length}/${column.limit}`
                  : byColumn.get(column.id)!.length}
              </span>
              <span className="end">{column.end}</span>
            </div>
          ))}
        </div>
        {lanes ? (
          lanes.map((lane) => (
            <section key={lane.key} className="kb-lane" aria-label={lane.text}>
              <h3>{lane.name}</h3>
              <div className="kb-row">{columns.map((column) => columnOf(column, lane))}</div>
            </section>
          ))
        ) : (
          <div className="kb-row">{columns.map((column) => columnOf(column))}</div>
        )}
      </div>
      {props.onMove && <p className="hint kb-keys text-13">{t('kit.board.keys')}</p>}
      <FloatingMenu
        items={entries}
        label={asked ? t('kit.board.menu', { card: asked.title }) : ''}
        anchor={anchor}
        isOpen={asked !== undefined}
        onClose={() => setMenuOf(undefined)}
      />
      <div className="vh" role="status">
        {said}
      </div>
    </div>
  )
}

interface Deeds {
  move: (move: BoardMove) => void
  open: (id: string) => void
  add: (columnId: string) => void
  menuFor: (id: string, at: Element) => void
}

interface ListProps {
  column: BoardColumnView
  laneKey: string | undefined
  laneText: string | undefined
  all: readonly BoardCard[]
  cards: readonly BoardCard[]
  face: (card: BoardCard) => ReactNode
  moved: string | undefined
  mayMove: boolean
  mayAdd: boolean
  deeds: Deeds
}

const sameCards = (left: readonly BoardCard[], right: readonly BoardCard[]): boolean =>
  left === right || (left.length === right.length && left.every((one, i) => one === right[i]))

/** Of a thousand cards one moves: the columns it neither leaves nor enters are left as they are. */
const KeptList = memo(
  BoardList,
  (before, after) =>
    before.column.id === after.column.id &&
    before.column.name === after.column.name &&
    before.face === after.face &&
    before.laneText === after.laneText &&
    // The person who gives its moved card away has other cards now; that another one moved later changes nothing
    // here.
    (before.moved === after.moved || after.moved === undefined) &&
    before.mayMove === after.mayMove &&
    before.mayAdd === after.mayAdd &&
    sameCards(before.cards, after.cards) &&
    sameCards(before.all, after.all),
)

function BoardList({
  column,
  laneKey,
  laneText,
  all,
  cards,
  face,
  moved,
  mayMove,
  mayAdd,
  deeds,
}: ListProps) {
  const t = useWords()
  const [most, setMost] = useState(known)
  const least = moved === undefined ? -1 : cards.findIndex(({ id }) => id === moved)
  const shown = cards.slice(0, Math.max(most, least + 1 + known / 4))
  const put = (id: string, target?: ItemDropTarget) => {
    const others = cards.filter((one) => one.id !== id)
    const at = target ? others.findIndex((one) => one.id === target.key) : -1
    const within = target && at >= 0 ? at + (target.dropPosition === 'after' ? 1 : 0) : others.length
    deeds.move({
      id,
      columnId: column.id,
      afterId: others[within - 1]?.id ?? null,
      beforeId: others[within]?.id ?? null,
      ...(laneKey !== undefined ? { lane: laneKey } : {}),
    })
  }
  const dropped = async (items: Iterable<unknown>, target?: ItemDropTarget) => {
    for (const item of items as Iterable<Parameters<typeof isTextDropItem>[0]>)
      if (isTextDropItem(item) && item.types.has(cardType)) put(await item.getText(cardType), target)
  }
  const { dragAndDropHooks } = useDragAndDrop<BoardCard>({
    isDisabled: !mayMove,
    getItems: (keys) =>
      [...keys].map((key) => ({
        [cardType]: String(key),
        'text/plain': all.find(({ id }) => id === key)?.title ?? '',
      })),
    acceptedDragTypes: [cardType],
    getDropOperation: () => 'move',
    onReorder: ({ keys, target }) => {
      const id = String([...keys][0])
      if (target.key !== id) put(id, target)
    },
    onInsert: ({ items, target }) => void dropped(items, target),
    onRootDrop: ({ items }) => void dropped(items),
    renderDropIndicator: (target) => <DropIndicator target={target} className="kb-drop" />,
  })
  const layout = useMemo(
    () => ({ estimatedRowHeight: 84, gap: 8, padding: 8, dropIndicatorThickness: 3 }),
    [],
  )
  const name = laneText ? `${column.name}, ${laneText}` : column.name
  return (
    <div className="kb-column">
      <Virtualizer layout={ListLayout} layoutOptions={layout}>
        <GridList
          aria-label={name}
          className="kb-list"
          dragAndDropHooks={dragAndDropHooks}
          selectionMode="none"
          onAction={(key) => deeds.open(String(key))}
          renderEmptyState={() => <p className="hint kb-empty text-13">{t('kit.board.empty')}</p>}
        >
          <Collection items={shown}>
            {(card) => (
              <GridListItem id={card.id} textValue={card.title} className="kb-card">
                <div className="kb-face">{face(card)}</div>
                <div className="kb-tools">
                  {mayMove && (
                    <AriaButton
                      slot="drag"
                      className="kb-grip"
                      aria-label={t('kit.board.drag', { card: card.title })}
                    >
                      <Icon of={GripVertical} size="s" />
                    </AriaButton>
                  )}
                  {/* What it offers is worked out when it is asked for: there are thousands of cards, and each is drawn once. */}
                  <AriaButton
                    className="kb-grip"
                    aria-label={t('kit.board.menu', { card: card.title })}
                    aria-haspopup="menu"
                    onPress={({ target }) => deeds.menuFor(card.id, target)}
                  >
                    <Icon of={EllipsisVertical} size="s" />
                  </AriaButton>
                </div>
              </GridListItem>
            )}
          </Collection>
          {shown.length < cards.length && (
            <GridListLoadMoreItem onLoadMore={() => setMost(shown.length + 2 * known)} />
          )}
        </GridList>
      </Virtualizer>
      {mayAdd && laneKey === undefined && (
        <Button
          kind="quiet"
          size="s"
          icon={Plus}
          className="kb-add"
          label={t('kit.board.addTo', { column: column.name })}
          onPress={() => deeds.add(column.id)}
        >
          {t('kit.board.add')}
        </Button>
      )}
    </div>
  )
}
