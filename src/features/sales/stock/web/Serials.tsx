import { ArrowDownToLine, ArrowUpFromLine, Barcode, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { statusesThat, typeFacts } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { RefCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { callsOf, resourceNamed } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWedge } from '#kit/web/hooks/wedge.ts'
import { useWords } from '#kit/web/words/words.tsx'
import * as calls from '../serials.ts'
import type { Serial, SerialPaper } from '../serials.ts'
import { numbersIn, PlaceField, refreshStock, type Chosen } from './parts.tsx'
import { readCode } from './scanning.ts'
import './stock.css'

const home = '/invoice/serialssearch'

/** Units by their serial numbers: found by typing or scanning, and the whole life of one. */
export function Screen() {
  const { query } = usePlace()
  return query.id ? <Life key={query.id} id={query.id} /> : <Search />
}

function State({ of }: { of: Pick<Serial, 'state'> }) {
  const t = useWords()
  return (
    <StatusPill tone={of.state === 'sold' ? 'done' : of.state === 'missing' ? 'late' : 'wait'}>
      {t(`serials.state.${of.state}`)}
    </StatusPill>
  )
}

/** Papers of suppliers are shown at another address. */
const paperHref = (id: string, type: number | null) =>
  `/invoice/${typeFacts(type).receivesGoods ? 'previewex' : 'preview'}/${id}`

function PaperLink({ of }: { of: SerialPaper | null }) {
  return of && of.number !== null ? (
    <RefCell name={String(of.number)} href={paperHref(of.id, of.type)} />
  ) : null
}

function Search() {
  const t = useWords()
  const may = useCan()('stock.change')
  const { query, setQuery } = usePlace()
  const [text, setText] = useState(query.q ?? '')
  const [opens, setOpens] = useState<'receive' | 'issue' | 'move'>()
  const { data, isLoading, error } = useCall(calls.findSerials, { q: text })
  const [other, setOther] = useState<string>()
  const scans = useRef(0)
  const look = (number: string, orElse?: string) => {
    setText(number)
    setQuery({ q: number })
    setOther(orElse)
  }
  /** A code that may have been another one is the one that is there; where both are, the other is offered. */
  const scanned = async (numbers: readonly string[]) => {
    const scan = ++scans.current
    look(numbers[0]!)
    if (numbers.length < 2) return
    const isThere = async (q: string) =>
      (await call(calls.findSerials, { q })).rows.some(
        ({ number }) => number.toLowerCase() === q.toLowerCase(),
      )
    const are = await Promise.all(numbers.map((number) => isThere(number).catch(() => false)))
    const [first, second] = numbers.filter((_, i) => are[i])
    if (first && scan === scans.current) look(first, second)
  }
  useWedge(
    ({ readings }) => void scanned(readings.map(numberIn)),
    // What is scanned into a dialog is one of its numbers.
    { isOff: opens !== undefined },
  )
  const close = () => setOpens(undefined)
  return (
    <>
      <PageHeader
        title={t('screens.serialsSearch')}
        actions={
          may && (
            <>
              <Button icon={ArrowUpFromLine} onPress={() => setOpens('issue')}>
                {t('serials.issue.title')}
              </Button>
              <Button kind="primary" icon={ArrowDownToLine} onPress={() => setOpens('receive')}>
                {t('serials.receive.title')}
              </Button>
            </>
          )
        }
        more={
          may
            ? [{ key: 'move', label: t('serials.move.title'), icon: Undo2, onPress: () => setOpens('move') }]
            : []
        }
      />
      <div className="st-stack">
        <TextField
          label={t('serials.search')}
          value={text}
          onChange={(typed) => {
            scans.current++
            setOther(undefined)
            setText(typed)
          }}
          ltr
          max={60}
        />
        {other && <Either code={text} other={other} onTake={() => look(other, text)} />}
        {error && !data ? (
          <Note tone="late">{failureText(t, error)}</Note>
        ) : (
          <DataTable
            label={t('screens.serialsSearch')}
            main
            rows={data?.rows ?? []}
            rowKey={(row) => row.id}
            rowName={(row) => row.number}
            rowHref={(row) => `${home}?id=${row.id}`}
            onOpen={(row) => go(`${home}?id=${row.id}`)}
            loading={isLoading}
            empty={
              <EmptyState icon={Barcode} title={t('serials.none')}>
                {t('serials.noneText')}
              </EmptyState>
            }
            columns={[
              {
                key: 'number',
                title: t('serials.number'),
                strong: true,
                width: 'fit',
                phone: 'title',
                cell: (row) => <Num>{row.number}</Num>,
              },
              {
                key: 'item',
                title: t('stock.item'),
                width: 'trim',
                phone: 'line',
                cell: (row) => <TextCell value={row.item} />,
              },
              {
                key: 'state',
                title: t('stock.transfer.state'),
                width: 'fit',
                phone: 'state',
                cell: (row) => <State of={row} />,
              },
              {
                key: 'where',
                title: t('serials.where'),
                width: 'trim',
                phone: 'line',
                cell: (row) => <TextCell value={row.customer ?? row.place ?? ''} />,
              },
              {
                key: 'inPaper',
                title: t('serials.inPaper'),
                width: 'fit',
                cell: (row) => <PaperLink of={row.inPaper} />,
              },
              {
                key: 'outPaper',
                title: t('serials.outPaper'),
                width: 'fit',
                cell: (row) => <PaperLink of={row.outPaper} />,
              },
              {
                key: 'warranty',
                title: t('serials.warranty'),
                width: 'fit',
                cell: (row) => row.warrantyUntil && <Num>{formatDay(row.warrantyUntil)}</Num>,
              },
            ]}
          />
        )}
      </div>
      {opens === 'receive' && <ReceiveDialog onClose={close} />}
      {opens === 'issue' && <IssueDialog onClose={close} />}
      {opens === 'move' && <MoveDialog onClose={close} />}
    </>
  )
}

function Life({ id }: { id: string }) {
  const t = useWords()
  const { data, error } = useCall(calls.serialLife, { id })
  const crumbs = [{ label: t('screens.serialsSearch'), href: home }]
  if (!data)
    return (
      <>
        <PageHeader title={t('screens.serialsSearch')} crumbs={crumbs} />
        {error ? <Note tone="late">{failureText(t, error)}</Note> : <Skeleton lines={6} />}
      </>
    )
  return (
    <>
      <PageHeader
        title={<Num>{data.number}</Num>}
        crumbs={crumbs}
        status={<State of={data} />}
        sub={
          <>
            <Link className="link" href={`/invoice/stockproducts/${data.itemId}`}>
              <bdi>{data.item}</bdi>
            </Link>
            {(data.customer ?? data.place) && (
              <>
                {' '}
                · <bdi>{data.customer ?? data.place}</bdi>
              </>
            )}
            {data.warrantyUntil && (
              <>
                {' '}
                · {t('serials.warranty')} <Num>{formatDay(data.warrantyUntil)}</Num>
              </>
            )}
          </>
        }
      />
      <Card title={t('serials.life')} flush>
        <ul className="st-list">
          {data.events.map((one, i) => (
            <li key={i}>
              <span className="what">
                <span>
                  {t(`serials.kind.${one.kind}`)}
                  {one.customer && (
                    <>
                      {' '}
                      · <bdi>{one.customer}</bdi>
                    </>
                  )}
                </span>
                <span className="hint text-12">
                  <Num>{formatDay(one.day)}</Num>
                  {one.by && ` · ${one.by}`}
                  {one.note && ` · ${one.note}`}
                </span>
              </span>
              {one.documentId && one.number !== null && (
                <Link className="link aim" href={paperHref(one.documentId, one.documentType)}>
                  <Num>{one.number}</Num>
                </Link>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

/** The serial number in what was scanned. */
const numberIn = (text: string): string => {
  const { serial, code } = readCode(text)
  return serial ?? code
}

/** Says that a scan may have been another code, and takes that one instead. */
function Either({ code, other, onTake }: { code: string; other: string; onTake: () => void }) {
  const t = useWords()
  return (
    <Note
      tone="wait"
      action={
        <Button size="s" onPress={onTake}>
          {t('stock.scan.take', { other })}
        </Button>
      }
    >
      {t('stock.scan.either', { code, other })}
    </Note>
  )
}

type Errors = (name: string, value: unknown) => { error?: string }

/** Every wrong number is named at the field they were pasted into. */
function NumbersField({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (value: string) => void
  error: Errors
}) {
  const t = useWords()
  // Each scanned number has a separate line; what a scanner typed in another keyboard layout is converted.
  const [pair, setPair] = useState<readonly [taken: string, other: string]>()
  // The person who took the other reading once has a scanner that means it.
  const [isOther, setIsOther] = useState(false)
  useWedge(({ typed, readings }) => {
    const before = value.endsWith(typed) ? value.slice(0, value.length - typed.length) : value
    const [likely, less] = readings
    const taken = isOther && less !== undefined ? less : likely!
    onChange(`${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${taken}\n`)
    setPair(less === undefined ? undefined : [taken, taken === less ? likely! : less])
  })
  const at = pair ? value.lastIndexOf(`${pair[0]}\n`) : -1
  const all = [
    error('numbers', value).error,
    ...numbersIn(value).map((_, i) => error(`numbers.${i}`, value).error),
  ].filter(Boolean)
  return (
    <>
      <LongText
        label={t('serials.numbers', { count: numbersIn(value).length })}
        hint={t('serials.numbersHint')}
        value={value}
        onChange={onChange}
        max={30_000}
        {...(all.length ? { error: all.slice(0, 5).join(' ') } : {})}
      />
      {pair && at >= 0 && (
        <Either
          code={pair[0]}
          other={pair[1]}
          onTake={() => {
            onChange(value.slice(0, at) + pair[1] + value.slice(at + pair[0].length))
            setPair([pair[1], pair[0]])
            setIsOther(!isOther)
          }}
        />
      )}
    </>
  )
}

const namesOf = (text: string, more: string[]) => [
  ...more,
  'numbers',
  ...numbersIn(text).map((_, i) => `numbers.${i}`),
]

function SerialItemField({
  value,
  onChange,
  error,
}: {
  value: Chosen | null
  onChange: (value: Chosen | null) => void
  error: Errors
}) {
  const t = useWords()
  return (
    <RefField
      label={t('stock.item')}
      value={value}
      onChange={(option) => onChange(option && { key: option.key, label: option.label })}
      search={async (q, signal) => {
        const { rows } = await call(
          callsOf(resourceNamed('items')!).list,
          { size: 10, tracking: 'serial', q: q || undefined },
          { signal },
        )
        return rows.map((row) => ({ key: row.id, label: String(row.name), hint: row.sku as string | null }))
      }}
      {...error('itemId', value)}
    />
  )
}

function ReceiveDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [item, setItem] = useState<Chosen | null>(null)
  const [text, setText] = useState('')
  const [expected, setExpected] = useState(false)
  const [place, setPlace] = useState<Chosen | null>(null)
  const [paper, setPaper] = useState<Chosen | null>(null)
  const [day, setDay] = useState<Day | null>(() => dayInJerusalem(new Date()))
  const [note, setNote] = useState('')
  return (
    <FormDialog
      title={t('serials.receive.title')}
      verb={t('serials.receive.verb')}
      names={namesOf(text, ['itemId', 'placeId', 'documentId', 'day', 'note'])}
      onClose={onClose}
      onSubmit={async () => {
        // What is still on its way came with nothing and lies nowhere.
        const came = expected
          ? {}
          : {
              ...(place ? { placeId: place.key } : {}),
              ...(paper ? { documentId: paper.key } : {}),
              ...(day ? { day } : {}),
            }
        const { done } = await call(calls.receiveSerials, {
          itemId: item?.key ?? '',
          numbers: numbersIn(text),
          expected,
          ...came,
          note,
        })
        await refreshStock()
        banner.success(t('serials.done', { count: done }))
      }}
    >
      {(error) => (
        <div className="st-form">
          <SerialItemField value={item} onChange={setItem} error={error} />
          <NumbersField value={text} onChange={setText} error={error} />
          <FlagField
            label={t('serials.receive.expected')}
            hint={t('serials.receive.expectedHint')}
            value={expected}
            onChange={setExpected}
          />
          {!expected && (
            <>
              <RefField
                label={t('serials.receive.paper')}
                hint={t('serials.receive.paperHint')}
                optional
                clearable
                value={paper}
                onChange={(option) => setPaper(option && { key: option.key, label: option.label })}
                search={findPurchases}
                {...error('documentId', paper)}
              />
              <div className="st-pair">
                <PlaceField
                  label={t('stock.place')}
                  optional
                  value={place}
                  onChange={setPlace}
                  {...error('placeId', place)}
                />
                <DayField label={t('stock.day')} value={day} onChange={setDay} {...error('day', day)} />
              </div>
            </>
          )}
          <TextField
            label={t('stock.note')}
            optional
            value={note}
            onChange={setNote}
            max={300}
            {...error('note', note)}
          />
        </div>
      )}
    </FormDialog>
  )
}

const papersOf =
  (
    names: readonly (
      | 'deliveryNote'
      | 'taxInvoice'
      | 'taxInvoiceReceipt'
      | 'goodsReceived'
      | 'selfBilledInvoice'
    )[],
  ) =>
  async (q: string, signal: AbortSignal) => {
    const types = names.map((name) => documentTypes[name].id).join(',')
    const { rows } = await call(
      callsOf(resourceNamed('documents')!).list,
      { 'type.in': types, 'status.in': statusesThat('isIssued').join(','), q: q || undefined, size: 10 },
      { signal },
    )
    return rows.map((row) => ({
      key: row.id,
      label: String(row.number),
      hint: `${String(row.customerIdName ?? '')} ${formatDay(String(row.day))}`,
    }))
  }
const findPapers = papersOf(['deliveryNote', 'taxInvoice', 'taxInvoiceReceipt'])
const findPurchases = papersOf(['goodsReceived', 'selfBilledInvoice'])

function IssueDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [paper, setPaper] = useState<Chosen | null>(null)
  const [item, setItem] = useState<Chosen | null>(null)
  const [text, setText] = useState('')
  const [months, setMonths] = useState<number | null>(12)
  return (
    <FormDialog
      title={t('serials.issue.title')}
      verb={t('serials.issue.verb')}
      names={namesOf(text, ['itemId', 'documentId', 'warrantyMonths'])}
      onClose={onClose}
      onSubmit={async () => {
        const { done } = await call(calls.issueSerials, {
          documentId: paper?.key ?? '',
          itemId: item?.key ?? '',
          numbers: numbersIn(text),
          warrantyMonths: months ?? 0,
        })
        await refreshStock()
        banner.success(t('serials.done', { count: done }))
      }}
    >
      {(error) => (
        <div className="st-form">
          <RefField
            label={t('serials.issue.paper')}
            value={paper}
            onChange={(option) => setPaper(option && { key: option.key, label: option.label })}
            search={findPapers}
            {...error('documentId', paper)}
          />
          <SerialItemField value={item} onChange={setItem} error={error} />
          <NumbersField value={text} onChange={setText} error={error} />
          <WholeField
            label={t('serials.issue.months')}
            value={months}
            onChange={setMonths}
            {...error('warrantyMonths', months)}
          />
        </div>
      )}
    </FormDialog>
  )
}

const ways = ['returned', 'moved', 'scrapped', 'missing', 'found'] as const

function MoveDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [item, setItem] = useState<Chosen | null>(null)
  const [text, setText] = useState('')
  const [to, setTo] = useState<(typeof ways)[number]>('returned')
  const [place, setPlace] = useState<Chosen | null>(null)
  const [note, setNote] = useState('')
  const lies = to === 'returned' || to === 'found' || to === 'moved'
  return (
    <FormDialog
      title={t('serials.move.title')}
      verb={t('serials.move.verb')}
      names={namesOf(text, ['itemId', 'to', 'placeId', 'note'])}
      onClose={onClose}
      onSubmit={async () => {
        const { done } = await call(calls.moveSerials, {
          itemId: item?.key ?? '',
          numbers: numbersIn(text),
          to,
          ...(lies && place ? { placeId: place.key } : {}),
          note,
        })
        await refreshStock()
        banner.success(t('serials.done', { count: done }))
      }}
    >
      {(error) => (
        <div className="st-form">
          <ChoiceField
            label={t('serials.move.to')}
            hint={t(`serials.move.hint.${to}`)}
            as="list"
            value={to}
            onChange={(next) => next && setTo(next)}
            choices={ways.map((value) => ({ value, label: t(`serials.kind.${value}`) }))}
            {...error('to', to)}
          />
          <SerialItemField value={item} onChange={setItem} error={error} />
          <NumbersField value={text} onChange={setText} error={error} />
          {lies && (
            <PlaceField
              label={t('stock.place')}
              optional={to !== 'moved'}
              value={place}
              onChange={setPlace}
              {...error('placeId', place)}
            />
          )}
          <TextField
            label={t('stock.note')}
            optional
            value={note}
            onChange={setNote}
            max={300}
            {...error('note', note)}
          />
        </div>
      )}
    </FormDialog>
  )
}
