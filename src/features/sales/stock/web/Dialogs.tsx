import { useState } from 'react'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import { statusesThat } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { formatDay } from '#domain/format.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, QuantityField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { callsOf, resourceNamed } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import * as calls from '../endpoints.ts'
import type { StockOf, Transfer } from '../endpoints.ts'
import {
  ItemLines,
  linesOf,
  newLine,
  numbersIn,
  PlaceField,
  refreshStock,
  type Chosen,
  type ItemLine,
} from './parts.tsx'
import './stock.css'

const today = (): Day => dayInJerusalem(new Date())

/** More or less of an item, with the reason. */
export function AdjustDialog({ of, onClose }: { of: StockOf; onClose: () => void }) {
  const t = useWords()
  const cost = useCan()('stock.cost')
  const [way, setWay] = useState<'more' | 'less'>('less')
  const [quantity, setQuantity] = useState<string | null>(null)
  const [place, setPlace] = useState<Chosen | null>(null)
  const [day, setDay] = useState<Day | null>(today)
  const [worth, setWorth] = useState<number | null>(null)
  const [batch, setBatch] = useState('')
  const [expires, setExpires] = useState<Day | null>(null)
  const [reason, setReason] = useState('')
  const more = way === 'more'
  return (
    <FormDialog
      title={t('stock.adjust.title')}
      verb={t('stock.adjust.verb')}
      names={['quantity', 'placeId', 'day', 'worthAgorot', 'batchNumber', 'expires', 'reason']}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.adjustStock, {
          id: of.id,
          quantity: quantity ? `${more ? '' : '-'}${quantity}` : '',
          ...(place ? { placeId: place.key } : {}),
          day: day ?? today(),
          ...(more && worth !== null ? { worthAgorot: worth } : {}),
          ...(of.tracking === 'batch' && batch
            ? { batchNumber: batch, ...(expires ? { expires } : {}) }
            : {}),
          reason,
        })
        await refreshStock()
        banner.success(t('stock.adjust.done'))
      }}
    >
      {(error) => (
        <div className="st-form">
          <ChoiceField
            label={t('stock.adjust.way')}
            value={way}
            onChange={(next) => next && setWay(next)}
            choices={[
              { value: 'less', label: t('stock.adjust.less') },
              { value: 'more', label: t('stock.adjust.more') },
            ]}
          />
          <div className="st-pair">
            <QuantityField
              label={t('stock.quantity')}
              unit={of.unit}
              value={quantity}
              onChange={setQuantity}
              {...error('quantity', quantity)}
            />
            <DayField label={t('stock.day')} value={day} onChange={setDay} {...error('day', day)} />
          </div>
          <PlaceField
            label={t('stock.place')}
            optional
            value={place}
            onChange={setPlace}
            {...error('placeId', place)}
          />
          {of.tracking === 'batch' && (
            <div className="st-pair">
              <TextField
                label={t('stock.batch')}
                optional
                value={batch}
                onChange={setBatch}
                max={40}
                {...error('batchNumber', batch)}
              />
              {more && (
                <DayField
                  label={t('stock.expires')}
                  optional
                  value={expires}
                  onChange={setExpires}
                  {...error('expires', expires)}
                />
              )}
            </div>
          )}
          {more && cost && (
            <MoneyField
              label={t('stock.adjust.worth')}
              hint={t('stock.adjust.worthHint')}
              optional
              value={worth}
              onChange={setWorth}
              {...error('worthAgorot', worth)}
            />
          )}
          <TextField
            label={t('stock.reason')}
            placeholder={t('stock.adjust.reasons')}
            value={reason}
            onChange={setReason}
            max={300}
            {...error('reason', reason)}
          />
        </div>
      )}
    </FormDialog>
  )
}

/** Goods from one warehouse or shelf to another. */
export function TransferDialog({ item, onClose }: { item?: Chosen; onClose: () => void }) {
  const t = useWords()
  const [from, setFrom] = useState<Chosen | null>(null)
  const [to, setTo] = useState<Chosen | null>(null)
  const [day, setDay] = useState<Day | null>(today)
  const [note, setNote] = useState('')
  const [arrives, setArrives] = useState(false)
  const [lines, setLines] = useState<ItemLine[]>(() => [{ ...newLine(), item: item ?? null }])
  return (
    <FormDialog
      title={t('stock.transfer.title')}
      verb={t(arrives ? 'stock.transfer.verbNow' : 'stock.transfer.verb')}
      names={[
        'fromId',
        'toId',
        'day',
        'note',
        'lines',
        ...lines.flatMap((line, i) => [
          `lines.${i}.itemId`,
          `lines.${i}.quantity`,
          ...unitNames(`lines.${i}.numbers`, line.numbers),
        ]),
      ]}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.makeTransfer, {
          fromId: from?.key ?? '',
          toId: to?.key ?? '',
          day: day ?? today(),
          note,
          arrives,
          lines: linesOf(lines).map((line) => ({
            ...line,
            numbers: numbersIn(lines.find(({ item: one }) => one?.key === line.itemId)?.numbers ?? ''),
          })),
        })
        await refreshStock()
        banner.success(t('stock.transfer.done'))
      }}
    >
      {(error) => (
        <div className="st-form">
          <div className="st-pair">
            <PlaceField
              label={t('stock.transfer.from')}
              value={from}
              onChange={setFrom}
              {...error('fromId', from)}
            />
            <PlaceField label={t('stock.transfer.to')} value={to} onChange={setTo} {...error('toId', to)} />
          </div>
          <ItemLines lines={lines} onChange={setLines} error={error} />
          {lines.map((line, i) =>
            line.item ? (
              <UnitsOfItem
                key={line.key}
                item={line.item}
                at={`lines.${i}.numbers`}
                value={line.numbers}
                onChange={(numbers) =>
                  setLines(lines.map((one) => (one.key === line.key ? { ...one, numbers } : one)))
                }
                error={error}
              />
            ) : null,
          )}
          <DayField label={t('stock.day')} value={day} onChange={setDay} {...error('day', day)} />
          <TextField
            label={t('stock.note')}
            optional
            value={note}
            onChange={setNote}
            max={300}
            {...error('note', note)}
          />
          <FlagField label={t('stock.transfer.arrives')} value={arrives} onChange={setArrives} />
        </div>
      )}
    </FormDialog>
  )
}

type Errors = (name: string, value: unknown) => { error?: string }
const unitNames = (at: string, text: string) => [at, ...numbersIn(text).map((_, i) => `${at}.${i}`)]

/** Serial numbers, each in a line; every wrong one is named below them. */
function UnitNumbers({
  label,
  at,
  value,
  onChange,
  error,
}: {
  label: string
  at: string
  value: string
  onChange: (value: string) => void
  error: Errors
}) {
  const t = useWords()
  const wrong = unitNames(at, value).flatMap((name) => error(name, value).error ?? [])
  return (
    <LongText
      label={label}
      hint={t('serials.numbersHint')}
      optional
      value={value}
      onChange={onChange}
      max={30_000}
      {...(wrong.length ? { error: wrong.slice(0, 5).join(' ') } : {})}
    />
  )
}

/** The units that leave, for an item with tracked units. */
function UnitsOfItem({
  item,
  ...field
}: {
  item: Chosen
  at: string
  value: string
  onChange: (value: string) => void
  error: Errors
}) {
  const t = useWords()
  const { data } = useCall(calls.stockOf, { id: item.key })
  return data?.tracking === 'serial' ? (
    <UnitNumbers label={t('stock.transfer.units', { item: item.label })} {...field} />
  ) : null
}

/** What arrived of what was sent. */
export function ArriveDialog({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const t = useWords()
  const [arrived, setArrived] = useState<Record<string, string | null>>(() =>
    Object.fromEntries(transfer.lines.map((line) => [line.itemId, line.quantity])),
  )
  const [missing, setMissing] = useState<Record<string, string>>({})
  const [day, setDay] = useState<Day | null>(today)
  const [reason, setReason] = useState('')
  const changed = transfer.lines.filter((line) => arrived[line.itemId] !== line.quantity)
  return (
    <FormDialog
      title={t('stock.arrive.title', { number: transfer.number })}
      verb={t('stock.arrive.verb')}
      names={[
        'day',
        'reason',
        ...changed.flatMap((_, i) => [`lines.${i}.quantity`, `lines.${i}.itemId`]),
        ...changed.flatMap((line, i) => unitNames(`lines.${i}.missing`, missing[line.itemId] ?? '')),
      ]}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.arriveTransfer, {
          id: transfer.id,
          day: day ?? today(),
          lines: changed.map((line) => ({
            itemId: line.itemId,
            quantity: arrived[line.itemId] ?? '',
            missing: numbersIn(missing[line.itemId] ?? ''),
          })),
          reason,
        })
        await refreshStock()
        banner.success(t('stock.arrive.done'))
      }}
    >
      {(error) => (
        <div className="st-form">
          {transfer.lines.map((line) => (
            <QuantityField
              key={line.itemId}
              label={line.name}
              unit={line.unit}
              value={arrived[line.itemId] ?? null}
              onChange={(quantity) => setArrived({ ...arrived, [line.itemId]: quantity })}
              {...error(`lines.${changed.indexOf(line)}.quantity`, arrived[line.itemId])}
            />
          ))}
          {changed
            .filter((line) => line.numbers.length > 0 && Number(arrived[line.itemId] ?? 0) > 0)
            .map((line) => (
              <UnitNumbers
                key={line.itemId}
                label={t('stock.arrive.units', { item: line.name })}
                at={`lines.${changed.indexOf(line)}.missing`}
                value={missing[line.itemId] ?? ''}
                onChange={(numbers) => setMissing({ ...missing, [line.itemId]: numbers })}
                error={error}
              />
            ))}
          <DayField label={t('stock.day')} value={day} onChange={setDay} {...error('day', day)} />
          {changed.length > 0 && (
            <TextField
              label={t('stock.arrive.missing')}
              value={reason}
              onChange={setReason}
              max={300}
              {...error('reason', reason)}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}

/** What an item is made of. */
export function PartsDialog({ of, onClose }: { of: StockOf; onClose: () => void }) {
  const t = useWords()
  const [madeOf, setMadeOf] = useState(of.madeOf === 'none' ? 'kit' : of.madeOf)
  const [lines, setLines] = useState<ItemLine[]>(() =>
    of.parts.length
      ? of.parts.map((part) => ({
          ...newLine(),
          item: { key: part.itemId, label: part.name },
          quantity: part.quantity,
        }))
      : [newLine()],
  )
  return (
    <FormDialog
      title={t('stock.parts.title')}
      verb={t('stock.parts.verb')}
      names={['madeOf', 'parts', ...lines.flatMap((_, i) => [`parts.${i}.itemId`, `parts.${i}.quantity`])]}
      onClose={onClose}
      onSubmit={async () => {
        const parts = linesOf(lines)
        await call(calls.saveParts, { id: of.id, madeOf: parts.length ? madeOf : 'none', parts })
        await refreshStock()
        banner.success(t('stock.saved'))
      }}
    >
      {(error) => (
        <div className="st-form">
          <ChoiceField
            label={t('stock.parts.kind')}
            hint={t(`stock.parts.hint.${madeOf}`)}
            value={madeOf}
            onChange={(next) => next && setMadeOf(next)}
            choices={(['kit', 'recipe'] as const).map((value) => ({
              value,
              label: t(`stock.parts.${value}`),
            }))}
          />
          <ItemLines lines={lines} onChange={setLines} error={error} at="parts" />
        </div>
      )}
    </FormDialog>
  )
}

/** Makes some of an item out of its parts. */
export function ProduceDialog({ of, onClose }: { of: StockOf; onClose: () => void }) {
  const t = useWords()
  const [quantity, setQuantity] = useState<string | null>(null)
  const [place, setPlace] = useState<Chosen | null>(null)
  const [day, setDay] = useState<Day | null>(today)
  return (
    <FormDialog
      title={t('stock.produce.title')}
      verb={t('stock.produce.verb')}
      names={['quantity', 'placeId', 'day']}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.produceStock, {
          id: of.id,
          quantity: quantity ?? '',
          day: day ?? today(),
          ...(place ? { placeId: place.key } : {}),
        })
        await refreshStock()
        banner.success(t('stock.produce.done'))
      }}
    >
      {(error) => (
        <div className="st-form">
          <QuantityField
            label={t('stock.quantity')}
            unit={of.unit}
            value={quantity}
            onChange={setQuantity}
            {...error('quantity', quantity)}
          />
          <PlaceField
            label={t('stock.place')}
            optional
            value={place}
            onChange={setPlace}
            {...error('placeId', place)}
          />
          <DayField label={t('stock.day')} value={day} onChange={setDay} {...error('day', day)} />
        </div>
      )}
    </FormDialog>
  )
}

/** How many of the item's own units are in others. */
export function UnitsDialog({ of, onClose }: { of: StockOf; onClose: () => void }) {
  const t = useWords()
  const [units, setUnits] = useState(() => [
    ...of.units,
    ...(of.units.length ? [] : [{ unit: '', times: 1, per: 1 }]),
  ])
  const put = (at: number, values: Partial<(typeof units)[number]>) =>
    setUnits(units.map((one, i) => (i === at ? { ...one, ...values } : one)))
  return (
    <FormDialog
      title={t('stock.units.title')}
      verb={t('stock.parts.verb')}
      names={['units', ...units.flatMap((_, i) => [`units.${i}.unit`, `units.${i}.times`, `units.${i}.per`])]}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.saveUnits, { id: of.id, units: units.filter(({ unit }) => unit.trim() !== '') })
        await refreshStock()
        banner.success(t('stock.saved'))
      }}
    >
      {(error) => (
        <div className="st-form">
          {units.map((one, i) => (
            <div className="st-pair" key={i}>
              <TextField
                label={t('stock.units.unit')}
                value={one.unit}
                onChange={(unit) => put(i, { unit })}
                max={20}
                {...error(`units.${i}.unit`, one.unit)}
              />
              <WholeField
                label={t('stock.units.holds')}
                unit={of.unit}
                value={one.times}
                onChange={(times) => put(i, { times: times ?? 0 })}
                {...error(`units.${i}.times`, one.times)}
              />
            </div>
          ))}
          <div>
            <Button
              size="s"
              kind="quiet"
              onPress={() => setUnits([...units, { unit: '', times: 1, per: 1 }])}
            >
              {t('stock.addLine')}
            </Button>
          </div>
        </div>
      )}
    </FormDialog>
  )
}

/** How the business keeps its stock. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { data } = useCall(calls.stockSettings, {})
  return data ? (
    <SettingsForm start={data} onClose={onClose} />
  ) : (
    <SettingsForm key="wait" start={undefined} onClose={onClose} />
  )
}

function SettingsForm({
  start,
  onClose,
}: {
  start:
    | {
        refusesBelowZero: boolean
        costing: 'average' | 'fifo'
        perpetual: boolean
        reserveDays: number | null
      }
    | undefined
  onClose: () => void
}) {
  const t = useWords()
  const [refuses, setRefuses] = useState(start?.refusesBelowZero ?? false)
  const [costing, setCosting] = useState(start?.costing ?? 'average')
  const [perpetual, setPerpetual] = useState(start?.perpetual ?? false)
  const [reserveDays, setReserveDays] = useState(start?.reserveDays ?? null)
  return (
    <FormDialog
      title={t('stock.settings.title')}
      verb={t('stock.parts.verb')}
      isDisabled={!start}
      names={['costing', 'reserveDays']}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.saveStockSettings, { refusesBelowZero: refuses, costing, perpetual, reserveDays })
        await refreshStock()
        banner.success(t('stock.saved'))
      }}
    >
      {(error) =>
        start ? (
          <div className="st-form">
            <FlagField
              label={t('stock.settings.refuses')}
              hint={t('stock.settings.refusesHint')}
              value={refuses}
              onChange={setRefuses}
            />
            <ChoiceField
              label={t('stock.settings.costing')}
              hint={t('stock.settings.costingHint')}
              value={costing}
              onChange={(next) => next && setCosting(next)}
              choices={(['average', 'fifo'] as const).map((value) => ({
                value,
                label: t(`stock.settings.${value}`),
              }))}
              {...error('costing', costing)}
            />
            <FlagField
              label={t('stock.settings.perpetual')}
              hint={t('stock.settings.perpetualHint')}
              value={perpetual}
              onChange={setPerpetual}
            />
            <WholeField
              label={t('stock.settings.reserveDays')}
              hint={t('stock.settings.reserveDaysHint')}
              optional
              value={reserveDays}
              onChange={setReserveDays}
              {...error('reserveDays', reserveDays)}
            />
          </div>
        ) : (
          <Skeleton lines={4} />
        )
      }
    </FormDialog>
  )
}

/** Brings the books to what stock is worth at the end of a year. */
export function CloseDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const cost = useCan()('stock.cost')
  const [day, setDay] = useState<Day | null>(() => `${Number(today().slice(0, 4)) - 1}-12-31`)
  const value = useCall(calls.stockValue, { day: day ?? '' }, { enabled: day !== null && cost })
  return (
    <FormDialog
      title={t('stock.close.title')}
      verb={t('stock.close.verb')}
      names={['day']}
      onClose={onClose}
      onSubmit={async () => {
        const { changeAgorot } = await call(calls.closeStock, { day: day ?? '' })
        await refreshStock()
        banner.success(t(changeAgorot ? 'stock.close.done' : 'stock.close.none'))
      }}
    >
      {(error) => (
        <div className="st-form">
          <p>{t('stock.close.text')}</p>
          <DayField label={t('stock.day')} value={day} onChange={setDay} {...error('day', day)} />
          {value.data && value.data.valueAgorot !== null && (
            <p>
              {t('stock.value')} <MoneyCell value={value.data.valueAgorot} />
            </p>
          )}
        </div>
      )}
    </FormDialog>
  )
}

/** Goods-received notes, the newest first. */
async function findNotes(q: string, signal: AbortSignal) {
  const { rows } = await call(
    callsOf(resourceNamed('documents')!).list,
    {
      type: String(documentTypes.goodsReceived.id),
      'status.in': statusesThat('isIssued').join(','),
      q: q || undefined,
      size: 10,
    },
    { signal },
  )
  return rows.map((row) => ({
    key: row.id,
    label: String(row.number),
    hint: `${String(row.customerIdName ?? '')} ${formatDay(String(row.day))}`,
  }))
}

/** Freight and customs on goods that came with a note. */
export function LandedDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [note, setNote] = useState<Chosen | null>(null)
  const [agorot, setAgorot] = useState<number | null>(null)
  const [by, setBy] = useState<'value' | 'weight' | 'quantity'>('value')
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title={t('stock.landed.title')}
      verb={t('stock.landed.verb')}
      names={['agorot', 'by', 'reason', 'documentId']}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.revalueStock, { documentId: note?.key ?? '', agorot: agorot ?? 0, by, reason })
        await refreshStock()
        banner.success(t('stock.saved'))
      }}
    >
      {(error) => (
        <div className="st-form">
          <RefField
            label={t('stock.landed.note')}
            value={note}
            onChange={(option) => setNote(option && { key: option.key, label: option.label })}
            search={findNotes}
            {...error('documentId', note)}
          />
          <MoneyField
            label={t('stock.landed.sum')}
            value={agorot}
            onChange={setAgorot}
            {...error('agorot', agorot)}
          />
          <ChoiceField
            label={t('stock.landed.by')}
            value={by}
            onChange={(next) => next && setBy(next)}
            choices={(['value', 'weight', 'quantity'] as const).map((value) => ({
              value,
              label: t(`stock.landed.${value}`),
            }))}
            {...error('by', by)}
          />
          <TextField
            label={t('stock.reason')}
            placeholder={t('stock.landed.reasons')}
            value={reason}
            onChange={setReason}
            max={300}
            {...error('reason', reason)}
          />
        </div>
      )}
    </FormDialog>
  )
}
