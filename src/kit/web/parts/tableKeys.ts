/** Where the hand of a list is: the cursor's row, the row a range began at, and what is chosen. */
export interface Hand {
  cursor: number
  anchor: number
  selected: ReadonlySet<string>
}

export interface Key {
  key: string
  shift?: boolean
  ctrl?: boolean
}

export interface Answer {
  hand: Hand
  /** What the table has to do besides: open the cursor's record, show its menu. */
  deed?: 'open' | 'menu'
}

/**
 * What a key does in a list. `keys` holds the record key of each row, undefined for rows that are no records
 * (opening balance, subtotals): the cursor steps over them. Undefined when the key means nothing here, so
 * that the page may have it.
 */
export function onTableKey(
  hand: Hand,
  { key, shift, ctrl }: Key,
  keys: readonly (string | undefined)[],
  selectable: boolean,
  page = 10,
): Answer | undefined {
  const records = keys.flatMap((one, i) => (one === undefined ? [] : [i]))
  if (records.length === 0) return undefined
  const place = Math.max(0, records.indexOf(hand.cursor))
  const goTo = (to: number): Answer => {
    const cursor = records[Math.min(records.length - 1, Math.max(0, to))]!
    if (!shift || !selectable) return { hand: { ...hand, cursor, anchor: cursor } }
    return {
      hand: { cursor, anchor: hand.anchor, selected: withRange(hand.selected, keys, hand.anchor, cursor) },
    }
  }
  switch (key) {
    case 'ArrowDown':
      return goTo(place + 1)
    case 'ArrowUp':
      return goTo(place - 1)
    case 'PageDown':
      return goTo(place + page)
    case 'PageUp':
      return goTo(place - page)
    case 'Home':
      return goTo(0)
    case 'End':
      return goTo(records.length - 1)
    case 'Enter':
      return { hand, deed: 'open' }
    case 'ContextMenu':
      return { hand, deed: 'menu' }
    case 'F10':
      return shift ? { hand, deed: 'menu' } : undefined
    case ' ':
      return selectable
        ? { hand: shift ? choose(hand, keys, hand.cursor, true) : choose(hand, keys, hand.cursor) }
        : undefined
    case 'a':
      return ctrl && selectable
        ? { hand: { ...hand, selected: new Set(records.map((i) => keys[i]!)) } }
        : undefined
    case 'Escape':
      return hand.selected.size > 0 ? { hand: { ...hand, selected: new Set() } } : undefined
    default:
      return undefined
  }
}

/** A tick by hand: the row alone, or everything from the last tick to it. */
export function choose(hand: Hand, keys: readonly (string | undefined)[], row: number, range = false): Hand {
  const key = keys[row]
  if (key === undefined) return hand
  if (range)
    return { cursor: row, anchor: hand.anchor, selected: withRange(hand.selected, keys, hand.anchor, row) }
  const selected = new Set(hand.selected)
  if (!selected.delete(key)) selected.add(key)
  return { cursor: row, anchor: row, selected }
}

function withRange(
  selected: ReadonlySet<string>,
  keys: readonly (string | undefined)[],
  from: number,
  to: number,
): Set<string> {
  const next = new Set(selected)
  for (let i = Math.min(from, to); i <= Math.max(from, to); i++) {
    const key = keys[i]
    if (key !== undefined) next.add(key)
  }
  return next
}
