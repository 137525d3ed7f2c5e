import { Plus } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatPrice } from '#domain/format.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { call } from '#kit/web/calls/call.ts'
import { InputBox } from '#kit/web/fields/Field.tsx'
import { useAnchored } from '#kit/web/fields/useAnchored.ts'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useLatest } from '#kit/web/hooks/useLatest.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { items, type Item } from '#features/registers/items/items.ts'
import { nearest } from './nearest.ts'

export interface ItemFieldProps {
  label: string
  value: string
  /** Free text as it is typed: a line needs no item of the catalogue. */
  onText: (text: string) => void
  /** `isLate`: found after Enter had moved on; the cursor stays where it is. */
  onItem: (item: Item, isLate: boolean) => void
  onNew: (text: string) => void
  /** Enter with nothing to choose, and keys the list does not take. */
  onEnter: () => void
  onKeyDown?: (event: React.KeyboardEvent<HTMLInputElement>) => void
  onFocus?: () => void
  error?: boolean
  describedBy?: string
  placeholder?: string
  autoFocus?: boolean
  bare?: boolean
}

const REST_MS = 110

/** What is asked of a text: the catalogue's search takes no more, and a name is known by its beginning. */
const askedOf = (text: string): string => text.trim().slice(0, 60)

/**
 * What a line is for: free text, with the catalogue under it. Enter takes the first match, and where there is none
 * the text as typed; Tab always keeps the text. The last line of the list adds it to the catalogue.
 */
export function ItemField(props: ItemFieldProps) {
  const t = useWords()
  const may = useCan()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const pop = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [found, setFound] = useState<{ query: string; rows: Item[] }>({ query: '', rows: [] })
  // Until an arrow chooses, the first match is highlighted; «new item» never is automatically.
  const [chosen, setChosen] = useState<number>()
  // Enter before the answer: the cursor goes on at once, and the first hit follows it into the line.
  const late = useRef<string>(undefined)
  const latest = useLatest(props)
  const asked = useRef<{ stop: AbortController; timer: ReturnType<typeof setTimeout> }>(undefined)
  const typed = props.value.trim()
  const isFresh = found.query === askedOf(props.value)
  const makesNew =
    typed !== '' && isFresh && may(items.allow.change) && !found.rows.some((row) => row.name === typed)
  const count = found.rows.length + (makesNew ? 1 : 0)
  const at = chosen === undefined ? (found.rows.length > 0 ? 0 : -1) : Math.min(chosen, count - 1)
  const shown = isOpen && count > 0
  useAnchored(pop, box, shown)

  const callOff = () => {
    clearTimeout(asked.current?.timer)
    asked.current?.stop.abort()
  }
  useEffect(() => callOff, [])
  const ask = (text: string) => {
    callOff()
    if (!may(items.allow.see)) return
    const stop = new AbortController()
    const query = askedOf(text)
    const go = async () => {
      try {
        const { rows } = await call(
          callsOf(items).list,
          { size: query.length > 0 && query.length < 4 ? 50 : 20, q: query || undefined, isActive: 'true' },
          { signal: stop.signal, quiet: true },
        )
        if (stop.signal.aborted) return
        const best = nearest(rows as unknown as Item[], query, (row) => row.name).slice(0, 7)
        setFound({ query, rows: best })
        if (late.current === query && best[0] && askedOf(latest.current.value) === query)
          latest.current.onItem(best[0], true)
        late.current = undefined
      } catch {
        // The catalogue does not answer: words of one's own need none.
        if (!stop.signal.aborted) setFound({ query, rows: [] })
      }
    }
    asked.current = { stop, timer: setTimeout(() => void go(), query === '' ? 0 : REST_MS) }
  }
  const open = (text: string) => {
    late.current = undefined
    ask(text)
    setChosen(undefined)
    setOpen(true)
  }
  const close = () => setOpen(false)
  const take = (place: number) => {
    const row = found.rows[place]
    close()
    if (row) props.onItem(row, false)
    else if (makesNew && place === found.rows.length) props.onNew(typed)
    else props.onEnter()
  }
  useLayoutEffect(() => {
    if (shown) pop.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [at, shown])

  const onKeyDown = (event: React.KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && !event.altKey && (shown || step === 1)) {
      event.preventDefault()
      if (!isOpen) open(typed)
      else if (count > 0) setChosen(at < 0 ? (step > 0 ? 0 : count - 1) : (at + step + count) % count)
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      // Words without a hit are a line as they are; «new item» is chosen with an arrow.
      if (!isOpen || typed === '') {
        close()
        props.onEnter()
      } else if (!isFresh) {
        late.current = askedOf(props.value)
        close()
        props.onEnter()
      } else take(at)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else props.onKeyDown?.(event)
  }

  return (
    <>
      <InputBox bare={props.bare ?? true} error={props.error ? ' ' : undefined} boxRef={box}>
        <input
          type="text"
          role="combobox"
          name="item"
          className="free"
          dir="auto"
          aria-label={props.label}
          aria-expanded={shown}
          aria-controls={shown ? id : undefined}
          aria-autocomplete="list"
          aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined}
          aria-invalid={props.error || undefined}
          aria-describedby={props.describedBy}
          autoComplete="off"
          maxLength={500}
          autoFocus={props.autoFocus}
          placeholder={props.placeholder}
          value={props.value}
          title={props.value.length > 40 ? props.value : undefined}
          onChange={(event) => {
            props.onText(event.target.value)
            open(event.target.value)
          }}
          onFocus={props.onFocus}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
      </InputBox>
      <div ref={pop} popover="manual" className="k-pop k-combo-pop">
        <div id={id} role="listbox" aria-label={props.label}>
          {found.rows.map((row, i) => {
            const price = parseDecimal4(row.price ?? '0')
            return (
              <div key={row.id} {...line(i)}>
                <span className="grow">
                  <span className="cut" dir="auto">
                    {row.name}
                    {row.sku && (
                      <>
                        {' '}
                        <bdi className="num hint text-12">{row.sku}</bdi>
                      </>
                    )}
                  </span>
                </span>
                {price !== undefined && (
                  <span className="end">
                    <bdi className="num">{formatPrice(price)}</bdi>
                  </span>
                )}
              </div>
            )
          })}
          {makesNew && (
            <div {...line(found.rows.length)} data-new="">
              <Icon of={Plus} />
              <span className="grow cut" dir="auto">
                {t('documents.editor.newItem', { text: typed })}
              </span>
            </div>
          )}
        </div>
      </div>
    </>
  )

  function line(i: number) {
    return {
      id: `${id}-${i}`,
      role: 'option',
      'aria-selected': i === at,
      className: 'k-opt',
      'data-active': i === at ? '' : undefined,
      onPointerDown: (event: React.PointerEvent) => event.preventDefault(),
      onPointerMove: () => i !== at && setChosen(i),
      onClick: () => take(i),
    }
  }
}
