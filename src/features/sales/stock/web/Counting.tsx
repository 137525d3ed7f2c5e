import { CloudOff, Minus, Plus, ScanBarcode } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useWedge } from '#kit/web/hooks/wedge.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getCount, type Count, type CountLine } from '../counts.ts'
import { keepSheet, keptSheet, useQueue } from './countQueue.ts'
import { manyOf } from './parts.tsx'
import { Scanner } from './Scanner.tsx'
import { meantBy, readCode } from './scanning.ts'
import './stock.css'

const keyOf = (line: Pick<CountLine, 'itemId' | 'placeId' | 'batchId'>) =>
  `${line.itemId} ${line.placeId} ${line.batchId}`

/** Counting on a phone: one item, its number large. It works without a network and says so. */
export function Counting({ id }: { id: string }) {
  const t = useWords()
  const { data, error, refetch } = useCall(getCount, { id })
  const [kept, setKept] = useState<Count>()
  useEffect(() => {
    if (data) void keepSheet(id, data)
    else void keptSheet(id).then(setKept)
  }, [data, id])
  const sheet = data ?? kept
  if (!sheet)
    return (
      <>
        <PageHeader title={t('screens.stocktaking')} />
        {error ? <Note tone="late">{failureText(t, error)}</Note> : <Skeleton lines={8} />}
      </>
    )
  return <Sheet of={sheet} refetch={() => void refetch()} />
}

function Sheet({ of, refetch }: { of: Count; refetch: () => void }) {
  const t = useWords()
  const told = useCallback(() => refetch(), [refetch])
  const { waiting, isOnline, refused, press } = useQueue(of.id, told)
  const [now, setNow] = useState(
    of.rows.find((row) => row.counted === null)
      ? keyOf(of.rows.find((row) => row.counted === null)!)
      : of.rows[0] && keyOf(of.rows[0]),
  )
  const [camera, setCamera] = useState(false)
  const [unknown, setUnknown] = useState('')
  const [either, setEither] = useState<{ code: string; rows: CountLine[] }>()
  const [typed, setTyped] = useState<string | null>(null)
  const line = of.rows.find((row) => keyOf(row) === now)
  const ownOf = (row: CountLine) =>
    (parseDecimal4(row.own ?? '0') ?? 0) +
    waiting
      .filter((one) => keyOf(one) === keyOf(row))
      .reduce((sum, one) => sum + (parseDecimal4(one.quantity) ?? 0), 0)
  const isCounted = (row: CountLine) =>
    row.counted !== null || waiting.some((one) => keyOf(one) === keyOf(row))
  const add = (row: CountLine, quantity: string) =>
    void press({
      clientId: crypto.randomUUID(),
      itemId: row.itemId,
      placeId: row.placeId,
      batchId: row.batchId,
      quantity,
      round: row.wantsSecond ? 2 : 1,
      countedAt: new Date().toISOString(),
    })
  const lineOf = (text: string) => {
    const { code } = readCode(text)
    const bare = code.replace(/^0+/, '')
    return of.rows.find(
      (row) => row.sku === code || (bare !== '' && (row.barcode ?? '').replace(/^0+/, '') === bare),
    )
  }
  const take = (row: CountLine) => {
    setEither(undefined)
    setNow(keyOf(row))
    add(row, '1')
  }
  /**
   * Counts the line that was scanned; where the readings of the scan are of two lines, the person who scanned says
   * which.
   */
  const scanned = (...readings: string[]) => {
    const rows = meantBy(readings, lineOf)
    const { code } = readCode(readings[0] ?? '')
    setUnknown(rows.length ? '' : code)
    setEither(rows.length > 1 ? { code, rows } : undefined)
    if (rows.length === 1) take(rows[0]!)
  }
  useWedge(({ readings }) => scanned(...readings))
  const done = of.rows.filter(isCounted).length
  const next = () => {
    const at = of.rows.findIndex((row) => keyOf(row) === now)
    const order = [...of.rows.slice(at + 1), ...of.rows.slice(0, at)]
    const to = order.find((row) => !isCounted(row)) ?? order[0]
    if (to) setNow(keyOf(to))
    setTyped(null)
  }
  return (
    <div className="st-count">
      <PageHeader
        title={of.name}
        crumbs={[{ label: t('screens.stocktaking'), href: '/invoice/stocktaking' }]}
        sub={
          isOnline && !waiting.length ? (
            t('stock.count.of', { counted: done, lines: of.lines })
          ) : (
            <span className="net" role="status">
              <Icon of={CloudOff} size="s" /> {t('stock.count.offline', { count: waiting.length })}
            </span>
          )
        }
      />
      {refused ? <Note tone="late">{failureText(t, refused)}</Note> : null}
      {camera ? (
        <Scanner onCode={scanned} />
      ) : (
        <Button icon={ScanBarcode} onPress={() => setCamera(true)}>
          {t('stock.scan.open')}
        </Button>
      )}
      {unknown && <Note tone="late">{t('stock.scan.unknown', { code: unknown })}</Note>}
      {either && (
        <Note tone="wait">
          <p>{t('stock.scan.which', { code: either.code })}</p>
          {either.rows.map((row) => (
            <Button key={keyOf(row)} onPress={() => take(row)}>
              {[row.item, row.sku].filter(Boolean).join(' · ')}
            </Button>
          ))}
        </Note>
      )}
      {line && (
        <Card label={line.item}>
          <div className="st-now">
            <div>
              <strong>
                <bdi>{line.item}</bdi>
              </strong>
              <p className="hint text-12">
                {line.sku && (
                  <>
                    <Num>{line.sku}</Num> ·{' '}
                  </>
                )}
                {line.unit && `${line.unit} · `}
                <bdi>{line.place}</bdi>
              </p>
            </div>
            <div className="st-big">
              <Button icon={Minus} label={t('stock.count.less')} onPress={() => add(line, '-1')} />
              <output aria-live="polite">{manyOf(toText(ownOf(line)))}</output>
              <Button icon={Plus} label={t('stock.count.more')} onPress={() => add(line, '1')} />
            </div>
            <QuantityField
              label={t('stock.count.whole')}
              optional
              unit={line.unit}
              value={typed}
              onChange={setTyped}
            />
            {typed !== null && typed !== '' && (
              <Button
                onPress={() => {
                  const difference = (parseDecimal4(typed) ?? 0) - ownOf(line)
                  // A zero is a count too.
                  if (difference !== 0 || !isCounted(line)) add(line, toText(difference))
                  setTyped(null)
                }}
              >
                {t('stock.count.set')}
              </Button>
            )}
            <p className="hint text-12">
              {line.book === null
                ? t('stock.count.blind')
                : t('stock.count.book', { quantity: manyOf(line.book) })}
            </p>
          </div>
        </Card>
      )}
      <Button kind="primary" onPress={next}>
        {t('stock.count.next', { counted: done, lines: of.lines })}
      </Button>
      <Card flush label={t('stock.count.sheet')}>
        <ul className="st-list">
          {of.rows
            .filter((row) => keyOf(row) !== now)
            .toSorted((a, b) => Number(isCounted(b)) - Number(isCounted(a)))
            .slice(0, 30)
            .map((row) => (
              <li key={keyOf(row)}>
                <Button kind="quiet" onPress={() => setNow(keyOf(row))}>
                  {row.item}
                </Button>
                {row.wantsSecond ? (
                  <span className="net">{t('stock.count.again')}</span>
                ) : isCounted(row) ? (
                  <Num>{manyOf(toText(ownOf(row)))}</Num>
                ) : (
                  <span className="hint">–</span>
                )}
              </li>
            ))}
        </ul>
      </Card>
    </div>
  )
}
