import { GripVertical, SlidersHorizontal, X } from 'lucide-react'
import { memo, useCallback, useRef, useState } from 'react'
import { formatMoney, formatPercent, formatPrice, formatQuantity } from '#domain/format.ts'
import { FieldMessage } from '#kit/web/fields/Field.tsx'
import { PriceField, QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { useLatest } from '#kit/web/hooks/useLatest.ts'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import type { LanguageCode } from '#domain/languages.ts'
import { toText } from '#domain/quantity.ts'
import type { Item } from '#features/registers/items/items.ts'
import { sourceText } from '#features/registers/prices/web/index.tsx'
import { ItemField } from './ItemField.tsx'
import { LineMore } from './LineMore.tsx'
import type { LinePrice } from './prices.ts'
import {
  decimalOf,
  isEmpty,
  isLineBelowDiscount,
  type Change,
  type EditedLine,
  type Refusals,
  type VatKindId,
} from './model.ts'

export type Cell = 'item' | 'quantity' | 'unitPrice'

export interface LinesProps {
  lines: readonly EditedLine[]
  amounts: ReadonlyMap<string, number>
  prices: ReadonlyMap<string, LinePrice>
  dispatch: (change: Change) => void
  refusals: Refusals['lines']
  defaultVatKind: number
  currency: string
  hasVat: boolean
  onNewItem: (text: string, key: string) => void
  /** What is bought takes the item's cost. */
  buys: boolean
}

/** The kind an item of the catalogue has, as a line has it. */
export const kindOfItem = { beforeVat: 1, includingVat: 2, trustDeposit: 3, withoutVat: 4 } as const

/**
 * An item chosen for a line fills it; one that was found only after the cursor had gone on leaves the price
 * that was typed meanwhile.
 */
export function takeItem(
  line: EditedLine,
  item: Item,
  defaultVatKind: number,
  isLate = false,
): Partial<EditedLine> {
  const kind = kindOfItem[item.vatKind ?? 'beforeVat']
  return {
    itemId: item.id,
    description: item.name,
    sku: item.sku ?? '',
    details: item.details ?? '',
    unit: item.unit ?? '',
    unitPrice: isLate ? (line.unitPrice ?? item.price ?? null) : (item.price ?? line.unitPrice),
    hasOwnPrice: isLate && line.unitPrice !== null,
    incomeKindId: null,
    vatKind: kind === defaultVatKind ? null : kind,
  }
}

/**
 * What is said under a line: the source of its price, or the price it would have but for the one that was
 * typed.
 */
export function wordsOfPrice(
  t: Words,
  lang: LanguageCode,
  line: EditedLine,
  price: LinePrice | undefined,
): { from: string; listPrice: string | undefined } {
  if (!price) return { from: '', listPrice: undefined }
  const { found, isOwn } = price
  if (!isOwn)
    return { from: found ? sourceText(t, found.source, lang) : t('prices.none'), listPrice: undefined }
  const isOther = found && found.source.kind !== 'item' && decimalOf(line.unitPrice, -1) !== found.price
  return { from: '', listPrice: isOther ? toText(found.price) : undefined }
}

/** A quiet line with the source of a price; of a typed price, the way back. */
export function PriceFrom({
  from,
  listPrice,
  onTake,
}: {
  from: string
  listPrice: string | undefined
  onTake: (price: string) => void
}) {
  const t = useWords()
  if (listPrice !== undefined)
    return (
      <button type="button" className="doc-from" tabIndex={-1} onClick={() => onTake(listPrice)}>
        {t('prices.takeBack', { price: formatPrice(decimalOf(listPrice, 0)) })}
      </button>
    )
  return from ? (
    <span className="doc-from" data-from="">
      {from}
    </span>
  ) : null
}

/**
 * Puts the cursor into a cell of a line: at once where it is drawn already, so that no key of a quick hand is
 * lost.
 */
export function focusCell(key: string | undefined, cell: Cell): void {
  if (key === undefined) return
  const find = () => document.querySelector<HTMLInputElement>(`[data-line="${key}"] input[name="${cell}"]`)
  const there = find()
  if (there) there.focus()
  else requestAnimationFrame(() => find()?.focus())
}

/**
 * The ledger of lines. Enter goes to the next cell and from the last one to the next line; Alt with the
 * arrows moves a line.
 */
export function Lines(props: LinesProps) {
  const { lines, amounts, dispatch, refusals, defaultVatKind, hasVat } = props
  const t = useWords()
  const { lang } = useLanguage()
  const list = useRef<HTMLOListElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const now = useLatest(props)
  const kinds = new Set(lines.filter((line) => !isEmpty(line)).map((line) => line.vatKind ?? defaultVatKind))
  const shownKind =
    kinds.size === 1
      ? [...kinds][0]!
      : kinds.size === 0
        ? (lines.at(-1)?.vatKind ?? defaultVatKind)
        : undefined

  const toggle = useCallback((key: string) => {
    setOpen((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }, [])
  const drop = useCallback(
    (line: EditedLine) => {
      const at = now.current.lines.indexOf(line)
      dispatch({ do: 'drop', key: line.key })
      focusCell(now.current.lines[at + 1]?.key ?? now.current.lines[at - 1]?.key, 'item')
      if (!isEmpty(line))
        toast(
          t('documents.editor.lineDropped', {
            text: line.description || t('documents.editor.lineWithoutWords'),
          }),
          () => dispatch({ do: 'add', line, at }),
        )
    },
    [dispatch, t, now],
  )
  const next = useCallback(
    (line: EditedLine, cell: Cell) => {
      const rows = now.current.lines
      const at = rows.findIndex((one) => one.key === line.key)
      if (cell === 'item') focusCell(line.key, 'quantity')
      else if (cell === 'quantity') focusCell(line.key, 'unitPrice')
      else focusCell(rows[at + 1]?.key, 'item')
    },
    [now],
  )
  const besides = useCallback(
    (line: EditedLine, cell: Cell, step: number) => {
      const rows = now.current.lines
      focusCell(rows[rows.findIndex((one) => one.key === line.key) + step]?.key, cell)
    },
    [now],
  )
  const move = useCallback(
    (line: EditedLine, step: number, cell: Cell) => {
      const at = now.current.lines.findIndex((one) => one.key === line.key)
      dispatch({ do: 'move', key: line.key, to: at + step })
      focusCell(line.key, cell)
    },
    [dispatch, now],
  )
  /** The line follows the pointer: it takes the place of the line it is over. */
  const drag = useCallback(
    (event: React.PointerEvent<HTMLButtonElement>, key: string) => {
      if (event.button !== 0) return
      event.preventDefault()
      const handle = event.currentTarget
      handle.setPointerCapture(event.pointerId)
      const row = handle.closest<HTMLElement>('[data-line]')
      row?.setAttribute('data-dragged', '')
      const onMove = (moved: PointerEvent) => {
        const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-line]') ?? [])]
        const to = rows.findIndex(
          (one) => moved.clientY < one.getBoundingClientRect().top + one.offsetHeight / 2,
        )
        const from = rows.findIndex((one) => one.dataset.line === key)
        const place = to < 0 ? rows.length - 1 : to > from ? to - 1 : to
        if (place !== from) dispatch({ do: 'move', key, to: place })
      }
      const onEnd = () => {
        row?.removeAttribute('data-dragged')
        handle.removeEventListener('pointermove', onMove)
        handle.removeEventListener('pointerup', onEnd)
        handle.removeEventListener('pointercancel', onEnd)
      }
      handle.addEventListener('pointermove', onMove)
      handle.addEventListener('pointerup', onEnd)
      handle.addEventListener('pointercancel', onEnd)
    },
    [dispatch],
  )

  return (
    <section aria-label={t('documents.editor.lines')} className="doc-lines">
      <div className="doc-line" data-head="">
        <span />
        <span className="w">{t('documents.editor.item')}</span>
        <span className="r">{t('documents.editor.quantity')}</span>
        <span className="r">
          {hasVat ? (
            <Menu
              label={t('documents.editor.vatKindOfAll')}
              items={[1, 2, 3, 4].map((kind) => ({
                key: String(kind),
                label: t(`documents.vatKind.${kind}`),
                checked: kind === shownKind,
                onPress: () =>
                  dispatch({ do: 'vatKind', kind: kind === defaultVatKind ? null : (kind as VatKindId) }),
              }))}
              trigger={
                <Button
                  kind="quiet"
                  size="s"
                  className="doc-headbtn"
                  label={t('documents.editor.priceIs', {
                    kind: shownKind ? t(`documents.vatKind.${shownKind}`) : t('documents.editor.mixed'),
                  })}
                >
                  {t('documents.editor.price')}{' '}
                  <span className="hint">
                    {shownKind ? t(`documents.editor.kindShort.${shownKind}`) : t('documents.editor.mixed')}
                  </span>
                </Button>
              }
            />
          ) : (
            t('documents.editor.price')
          )}
        </span>
        <span className="r t">{t('documents.editor.total')}</span>
        <span />
      </div>
      <ol ref={list}>
        {lines.map((line, i) => (
          <Line
            key={line.key}
            line={line}
            place={i + 1}
            isLast={i === lines.length - 1}
            amount={amounts.get(line.key)}
            {...wordsOfPrice(t, lang, line, props.prices.get(line.key))}
            refusal={refusals[line.key]}
            isOpen={open.has(line.key)}
            defaultVatKind={defaultVatKind}
            currency={props.currency}
            hasVat={hasVat}
            dispatch={dispatch}
            toggle={toggle}
            drop={drop}
            next={next}
            besides={besides}
            move={move}
            drag={drag}
            onNewItem={props.onNewItem}
            buys={props.buys}
          />
        ))}
      </ol>
    </section>
  )
}

interface LineProps {
  line: EditedLine
  place: number
  isLast: boolean
  amount: number | undefined
  /** Where the price comes from, in words. */
  from: string
  /** The price that would apply, when another was typed. */
  listPrice: string | undefined
  refusal: Refusals['lines'][string] | undefined
  isOpen: boolean
  defaultVatKind: number
  currency: string
  hasVat: boolean
  dispatch: (change: Change) => void
  toggle: (key: string) => void
  drop: (line: EditedLine) => void
  next: (line: EditedLine, cell: Cell) => void
  besides: (line: EditedLine, cell: Cell, step: number) => void
  move: (line: EditedLine, step: number, cell: Cell) => void
  drag: (event: React.PointerEvent<HTMLButtonElement>, key: string) => void
  onNewItem: (text: string, key: string) => void
  buys: boolean
}

const Line = memo(function Line(props: LineProps) {
  const { line, place, isLast, amount, refusal, isOpen, defaultVatKind, hasVat, dispatch } = props
  const t = useWords()
  const { lang } = useLanguage()
  const put = (change: Partial<Omit<EditedLine, 'key'>>) => dispatch({ do: 'line', key: line.key, change })
  const messageId = `${line.key}-m`
  const keys = (cell: Cell) => (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && event.altKey) props.move(line, step, cell)
    else if (step !== 0 && cell !== 'item') props.besides(line, cell, step)
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && cell !== 'item')
      props.next(line, cell)
    else if (event.key === 'Delete' && event.altKey && !isLast) props.drop(line)
    else return
    event.preventDefault()
  }
  const extras = [
    line.details.split('\n')[0],
    line.unit,
    line.discountBp
      ? t('documents.editor.discountOf', { rate: formatPercent(line.discountBp, lang) })
      : line.discountAgorot
        ? t('documents.editor.discountOf', { rate: formatMoney(line.discountAgorot) })
        : '',
    hasVat && line.vatKind ? t(`documents.vatKind.${line.vatKind}`) : '',
  ].filter(Boolean)
  const isBlank = isLast && isEmpty(line)
  const isBelow = isLineBelowDiscount(line)
  return (
    <li
      className="doc-line"
      data-line={line.key}
      data-blank={isBlank ? '' : undefined}
      aria-label={t('documents.editor.linePlace', { place })}
    >
      <span className="doc-grip">
        {!isBlank && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={t('documents.editor.moveLine', { place })}
            onPointerDown={(event) => props.drag(event, line.key)}
          >
            <Icon of={GripVertical} size="s" />
          </button>
        )}
      </span>
      <span className="w">
        <ItemField
          label={t('documents.editor.itemOf', { place })}
          value={line.description}
          error={refusal?.cell === 'description' || refusal?.cell === 'itemId'}
          describedBy={refusal ? messageId : undefined}
          placeholder={isBlank ? t('documents.editor.itemHint') : undefined}
          onText={(description) => put(description === '' ? { description, itemId: null } : { description })}
          onItem={(item, isLate) => {
            put(takeItem(line, props.buys ? { ...item, price: item.cost } : item, defaultVatKind, isLate))
            if (!isLate) props.next(line, 'item')
          }}
          onNew={(text) => props.onNewItem(text, line.key)}
          onEnter={() => line.description.trim() !== '' && props.next(line, 'item')}
          onKeyDown={keys('item')}
        />
        {!isOpen && extras.length > 0 && (
          <button
            type="button"
            className="doc-extras cut"
            tabIndex={-1}
            onClick={() => props.toggle(line.key)}
            dir="auto"
          >
            {extras.join(' · ')}
          </button>
        )}
        <PriceFrom
          from={props.from}
          listPrice={props.listPrice}
          onTake={(unitPrice) => put({ unitPrice, hasOwnPrice: false })}
        />
      </span>
      <QuantityField
        bare
        hideLabel
        label={t('documents.editor.quantityOf', { place })}
        name="quantity"
        // One is not filled in: what is typed next must not stand behind it.
        placeholder="1"
        value={line.quantity}
        error={refusal?.cell === 'quantity' ? t(`errors.${refusal.code}`, refusal.params) : undefined}
        onChange={(quantity) => put({ quantity })}
        onKeyDown={keys('quantity')}
      />
      <PriceField
        bare
        hideLabel
        label={t('documents.editor.priceOf', { place })}
        name="unitPrice"
        placeholder="0.00"
        value={line.unitPrice}
        error={refusal?.cell === 'unitPrice' ? t(`errors.${refusal.code}`, refusal.params) : undefined}
        onChange={(unitPrice) => put({ unitPrice, hasOwnPrice: true })}
        onKeyDown={keys('unitPrice')}
      />
      <output className="r t" aria-label={t('documents.editor.totalOf', { place })}>
        <bdi className={isBlank ? 'num hint' : 'num'}>{formatMoney(amount ?? 0)}</bdi>
      </output>
      <span className="doc-acts">
        {!isBlank && (
          <>
            <Button
              kind="quiet"
              size="xs"
              icon={SlidersHorizontal}
              label={t('documents.editor.moreOfLine', { place })}
              expanded={isOpen}
              onPress={() => props.toggle(line.key)}
            />
            <Button
              kind="quiet"
              size="xs"
              icon={X}
              label={t('documents.editor.dropLine', { place })}
              onPress={() => props.drop(line)}
            />
          </>
        )}
      </span>
      {isOpen && !isBlank && (
        <LineMore
          line={line}
          put={put}
          defaultVatKind={defaultVatKind}
          currency={props.currency}
          hasVat={hasVat}
        />
      )}
      {isBelow && !isOpen && (
        <span className="doc-said">
          <FieldMessage error={t('errors.documents.discountAboveLine')} />
        </span>
      )}
      {refusal &&
        refusal.cell !== 'quantity' &&
        refusal.cell !== 'unitPrice' &&
        !(isBelow && refusal.cell === 'discount') && (
          <span className="doc-said">
            <FieldMessage id={messageId} error={t(`errors.${refusal.code}`, refusal.params)} />
          </span>
        )}
    </li>
  )
})

/** A line on a phone: two facts, opened to be edited. */
export function LineCards({
  lines,
  amounts,
  onOpen,
  onAdd,
  refusals,
}: Pick<LinesProps, 'lines' | 'amounts' | 'refusals'> & {
  onOpen: (key: string) => void
  onAdd: () => void
}) {
  const t = useWords()
  const bare = lines.filter(isEmpty).flatMap((line) => refusals[line.key] ?? [])[0]
  return (
    <section aria-label={t('documents.editor.lines')}>
      <h2 className="doc-phonehead">{t('documents.editor.lines')}</h2>
      <div className="k-card doc-cards">
        {lines
          .filter((line) => !isEmpty(line))
          .map((line) => (
            <button type="button" key={line.key} onClick={() => onOpen(line.key)}>
              <span className="grow">
                <span className="cut" dir="auto">
                  {line.description || t('documents.editor.lineWithoutWords')}
                </span>
                <span className="s">
                  <bdi className="num">
                    {formatQuantity(decimalOf(line.quantity, 10_000))} ×{' '}
                    {formatPrice(decimalOf(line.unitPrice, 0))}
                  </bdi>
                </span>
                {refusals[line.key] && (
                  <FieldMessage error={t(`errors.${refusals[line.key]!.code}`, refusals[line.key]!.params)} />
                )}
              </span>
              <b>
                <bdi className="num">{formatMoney(amounts.get(line.key) ?? 0)}</bdi>
              </b>
            </button>
          ))}
        <button
          type="button"
          className="add"
          onClick={onAdd}
          data-refused={bare ? '' : undefined}
          aria-describedby={bare ? 'doc-no-lines' : undefined}
        >
          {t('documents.editor.addLine')}
        </button>
        {bare && (
          <div className="none">
            <FieldMessage id="doc-no-lines" error={t(`errors.${bare.code}`, bare.params)} />
          </div>
        )}
      </div>
    </section>
  )
}
