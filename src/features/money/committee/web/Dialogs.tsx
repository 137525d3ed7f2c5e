import { useState } from 'react'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import { ownDetails, paymentDetails } from '#domain/documents/paymentDetails.ts'
import { reminderRhythms } from '#domain/committee/reminding.ts'
import { splitRules, type SplitRule } from '#domain/committee/split.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { paymentMeans, type PaymentMeans } from '#domain/documents/kinds.ts'
import { bankChoices } from '#features/registers/suppliers/web/index.tsx'
import * as calls from '../endpoints.ts'
import type { Grid } from '../endpoints.ts'
import { refreshHouse } from './house.ts'
import './committee.css'

const today = (): Day => dayInJerusalem(new Date())
const flatName = (row: { entrance: string; number: string }) =>
  row.entrance ? `${row.entrance}/${row.number}` : row.number
const taken: readonly PaymentMeans[] = ['transfer', 'cash', 'cheque', 'paymentApp', 'card', 'other']

/** The details that are typed here; the day has a separate field. */
const typedDetails = ['bank', 'branch', 'account', 'number'] as const
const noDetails = { bank: '', branch: '', account: '', number: '' }
const mostDigits = { branch: 4, account: 20, number: 30 } as const

type PayRow = Grid['rows'][number] & { key: string; customerId: string | undefined }

/** Payments of tenants: one flat, or all who paid in one list; each payer gets a receipt. */
export function PayDialog({
  of,
  flatId,
  onClose,
}: {
  of: Grid
  flatId: string | undefined
  onClose: () => void
}) {
  const t = useWords()
  // Where two pay for one flat each of them has a line.
  const rows = (flatId ? of.rows.filter((row) => row.flatId === flatId) : of.rows).flatMap((row): PayRow[] =>
    row.payers.length > 1
      ? row.payers.map((one) => ({
          ...row,
          key: `${row.flatId} ${one.id}`,
          customerId: one.id,
          payer: one.name,
          debtAgorot: one.debtAgorot,
        }))
      : [{ ...row, key: row.flatId, customerId: undefined }],
  )
  const [sums, setSums] = useState<Record<string, number | null>>(() =>
    Object.fromEntries(rows.map((row) => [row.key, flatId ? row.debtAgorot || null : null])),
  )
  const [means, setMeans] = useState<PaymentMeans>('transfer')
  const [day, setDay] = useState<Day | null>(today)
  const [reference, setReference] = useState('')
  const [cheques, setCheques] = useState<number | null>(1)
  const [firstCheque, setFirstCheque] = useState<Day | null>(today)
  const [details, setDetails] = useState(noDetails)
  const [key] = useState(() => crypto.randomUUID())
  const paid = rows.filter((row) => (sums[row.key] ?? 0) > 0)
  const at = (row: (typeof rows)[number], name: string) => `payments.${paid.indexOf(row)}.${name}`
  return (
    <FormDialog
      title={t('committee.pay.title')}
      verb={t('committee.pay.verb', { count: paid.length })}
      isDisabled={!paid.length}
      names={[
        ...paid.flatMap((row) => ['agorot', 'flatId'].map((name) => at(row, name))),
        ...paid.flatMap((_, i) =>
          ['day', 'means', 'cheques', 'firstCheque', ...typedDetails].map((name) => `payments.${i}.${name}`),
        ),
      ]}
      onClose={onClose}
      onSubmit={async () => {
        const { receipts, aheadAgorot } = await call(calls.takePayments, {
          id: of.building.id,
          clientKey: key,
          payments: paid.map((row) => ({
            flatId: row.flatId,
            ...(row.customerId ? { customerId: row.customerId } : {}),
            agorot: sums[row.key]!,
            means: paymentMeans[means],
            day: day ?? today(),
            reference,
            ...ownDetails(means, details),
            ...(means === 'cheque' && (cheques ?? 1) > 0
              ? { cheques: cheques ?? 1, firstCheque: firstCheque ?? today() }
              : {}),
          })),
        })
        await refreshHouse()
        banner.success(
          t('committee.pay.done', { count: receipts.length }) +
            (aheadAgorot ? ` ${t('committee.pay.ahead', { sum: formatMoney(aheadAgorot) })}` : ''),
        )
        onClose()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <div className="vd-pay">
            {rows.map((row) => (
              <MoneyField
                key={row.key}
                label={`${t('committee.flat')} ${flatName(row)} · ${row.payer ?? t('committee.nobody')}`}
                hint={
                  row.debtAgorot > 0
                    ? t('committee.pay.owes', { sum: formatMoney(row.debtAgorot) })
                    : undefined
                }
                value={sums[row.key] ?? null}
                onChange={(sum) => setSums({ ...sums, [row.key]: sum })}
                optional={!flatId}
                {...(paid.includes(row)
                  ? { ...error(at(row, 'flatId'), row.flatId), ...error(at(row, 'agorot'), sums[row.key]) }
                  : {})}
              />
            ))}
          </div>
          <div className="vd-pair">
            <ChoiceField
              label={t('committee.means')}
              as="list"
              value={means}
              onChange={(next) => next && setMeans(next)}
              choices={taken.map((value) => ({ value, label: t(`documents.means.${value}`) }))}
            />
            <DayField
              label={t('committee.day')}
              value={day}
              onChange={setDay}
              {...error('payments.0.day', day)}
            />
          </div>
          {typedDetails.some((detail) => paymentDetails[means][detail]) && (
            <div className="vd-pair">
              {paymentDetails[means].bank && (
                <ChoiceField
                  as="list"
                  clearable
                  label={t('documents.money.bank')}
                  optional={paymentDetails[means].bank === 'optional'}
                  value={details.bank || null}
                  onChange={(bank) => setDetails({ ...details, bank: bank ?? '' })}
                  choices={bankChoices(t)}
                  {...error('payments.0.bank', details.bank)}
                />
              )}
              {(['branch', 'account', 'number'] as const)
                .filter((detail) => detail !== 'number' || means === 'cheque')
                .filter((detail) => paymentDetails[means][detail])
                .map((detail) => (
                  <TextField
                    key={detail}
                    ltr
                    inputMode="numeric"
                    label={t(`documents.money.${detail === 'number' ? 'chequeNumber' : detail}`)}
                    optional={paymentDetails[means][detail] === 'optional'}
                    max={mostDigits[detail]}
                    value={details[detail]}
                    onChange={(text) => setDetails({ ...details, [detail]: text })}
                    {...error(`payments.0.${detail}`, details[detail])}
                  />
                ))}
            </div>
          )}
          {means === 'cheque' && (
            <div className="vd-pair">
              <WholeField
                label={t('committee.pay.cheques')}
                value={cheques}
                onChange={setCheques}
                {...error('payments.0.cheques', cheques)}
              />
              <DayField
                label={t('committee.pay.firstCheque')}
                value={firstCheque}
                onChange={setFirstCheque}
                {...error('payments.0.firstCheque', firstCheque)}
              />
            </div>
          )}
          <TextField
            label={t('committee.reference')}
            optional
            value={reference}
            onChange={setReference}
            max={100}
          />
        </div>
      )}
    </FormDialog>
  )
}

const monthOf = (day: Day | null): string => (day ?? '').slice(0, 7)

/** What the house pays from a month on. */
export function RateDialog({ of, onClose }: { of: Grid; onClose: () => void }) {
  const t = useWords()
  const [rule, setRule] = useState<SplitRule>(of.building.rate?.rule ?? 'equal')
  const [agorot, setAgorot] = useState<number | null>(of.building.rate?.agorot ?? null)
  const [from, setFrom] = useState<Day | null>(() => `${today().slice(0, 7)}-01`)
  const [floors, setFloors] = useState(() =>
    of.building.floors.map(({ floor, weight }): { floor: number; weight: number | null } => ({
      floor,
      weight: weight ?? 100,
    })),
  )
  return (
    <FormDialog
      title={t('committee.rate.title')}
      verb={t('committee.save')}
      names={[
        'rule',
        'agorot',
        'fromMonth',
        ...(rule === 'floor' ? floors.map((_, i) => `floors.${i}.weight`) : []),
      ]}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.setRate, {
          id: of.building.id,
          rule,
          agorot: rule === 'own' ? 0 : (agorot ?? 0),
          fromMonth: monthOf(from),
          ...(rule === 'floor'
            ? { floors: floors.map(({ floor, weight }) => ({ floor, weight: weight ?? 0 })) }
            : {}),
        })
        await refreshHouse()
        banner.success(t('committee.saved'))
        onClose()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <ChoiceField
            label={t('committee.rule.label')}
            as="list"
            hint={t(`committee.rule.hint.${rule}`)}
            value={rule}
            onChange={(next) => next && setRule(next)}
            choices={splitRules.map((value) => ({ value, label: t(`committee.rule.${value}`) }))}
            {...error('rule', rule)}
          />
          {rule !== 'own' && (
            <MoneyField
              label={t('committee.rate.sum')}
              value={agorot}
              onChange={setAgorot}
              {...error('agorot', agorot)}
            />
          )}
          {rule === 'floor' && floors.length > 0 && (
            <div className="vd-pair">
              {floors.map(({ floor, weight }, i) => (
                <WholeField
                  key={floor}
                  label={t('committee.rate.floor', { floor })}
                  value={weight}
                  onChange={(next) =>
                    setFloors((all) =>
                      all.map((one) => (one.floor === floor ? { floor, weight: next } : one)),
                    )
                  }
                  {...error(`floors.${i}.weight`, weight)}
                />
              ))}
            </div>
          )}
          <DayField
            label={t('committee.rate.from')}
            value={from}
            onChange={setFrom}
            {...error('fromMonth', from)}
          />
        </div>
      )}
    </FormDialog>
  )
}

/** Dues of months that the night has not made. */
export function ChargeDialog({ of, onClose }: { of: Grid; onClose: () => void }) {
  const t = useWords()
  const [from, setFrom] = useState<Day | null>(() => `${of.year}-01-01`)
  const [to, setTo] = useState<Day | null>(() => `${today().slice(0, 7)}-01`)
  return (
    <FormDialog
      title={t('committee.charge.title')}
      verb={t('committee.charge.verb')}
      names={['from', 'to']}
      onClose={onClose}
      onSubmit={async () => {
        const { made, withoutPayer } = await call(calls.charge, {
          id: of.building.id,
          from: monthOf(from),
          to: monthOf(to),
        })
        await refreshHouse()
        banner.success(
          t('committee.charge.done', { count: made }) +
            (withoutPayer ? ` ${t('committee.charge.nobody', { count: withoutPayer })}` : ''),
        )
        onClose()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <p>{t('committee.charge.text')}</p>
          <div className="vd-pair">
            <DayField
              label={t('committee.charge.from')}
              value={from}
              onChange={setFrom}
              {...error('from', from)}
            />
            <DayField label={t('committee.charge.to')} value={to} onChange={setTo} {...error('to', to)} />
          </div>
        </div>
      )}
    </FormDialog>
  )
}

/** What a flat owed before the house came here. */
export function OpeningDialog({ of, onClose }: { of: Grid; onClose: () => void }) {
  const t = useWords()
  const [flat, setFlat] = useState<string | null>(of.rows[0]?.flatId ?? null)
  const [agorot, setAgorot] = useState<number | null>(null)
  const [month, setMonth] = useState<Day | null>(() => `${today().slice(0, 4)}-01-01`)
  return (
    <FormDialog
      title={t('committee.opening.title')}
      verb={t('committee.save')}
      names={['flatId', 'agorot', 'month']}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.openingDebt, {
          id: of.building.id,
          flatId: flat ?? '',
          agorot: agorot ?? 0,
          month: monthOf(month),
        })
        await refreshHouse()
        banner.success(t('committee.saved'))
        onClose()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <ChoiceField
            label={t('committee.flat')}
            as="list"
            value={flat}
            onChange={setFlat}
            choices={of.rows.map((row) => ({
              value: row.flatId,
              label: `${flatName(row)} · ${row.payer ?? t('committee.nobody')}`,
            }))}
            {...error('flatId', flat)}
          />
          <MoneyField
            label={t('committee.opening.sum')}
            value={agorot}
            onChange={setAgorot}
            {...error('agorot', agorot)}
          />
          <DayField
            label={t('committee.opening.month')}
            value={month}
            onChange={setMonth}
            {...error('month', month)}
          />
        </div>
      )}
    </FormDialog>
  )
}

/** The page for all tenants. */
export function PageDialog({ of, onClose }: { of: Grid; onClose: () => void }) {
  const t = useWords()
  const [on, setOn] = useState(of.building.pageUrl !== null)
  const [renew, setRenew] = useState(false)
  const [names, setNames] = useState(of.building.namesDecision)
  return (
    <FormDialog
      title={t('committee.page.title')}
      verb={t('committee.save')}
      names={['namesDecision']}
      onClose={onClose}
      onSubmit={async () => {
        const { url } = await call(calls.setPage, {
          id: of.building.id,
          on,
          renew,
          namesDecision: names.trim(),
        })
        await refreshHouse()
        if (url) await navigator.clipboard?.writeText(url).catch(() => undefined)
        banner.success(t(url ? 'committee.page.copied' : 'committee.page.closed'))
        onClose()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <FlagField
            label={t('committee.page.on')}
            hint={t('committee.page.onHint')}
            value={on}
            onChange={setOn}
          />
          {of.building.pageUrl && on && (
            <>
              <p>
                <Num>{of.building.pageUrl}</Num>
              </p>
              <FlagField
                label={t('committee.page.renew')}
                hint={t('committee.page.renewHint')}
                value={renew}
                onChange={setRenew}
              />
            </>
          )}
          <TextField
            label={t('committee.page.names')}
            hint={t('committee.page.namesHint')}
            optional
            value={names}
            onChange={setNames}
            max={300}
            {...error('namesDecision', names)}
          />
        </div>
      )}
    </FormDialog>
  )
}

/**
 * Money in the bank, each line with the flat it names: the payer is checked, and everybody gets a receipt.
 */
export function TransfersDialog({ of, onClose }: { of: Grid; onClose: () => void }) {
  const t = useWords()
  const { data } = useCall(calls.transfers, { id: of.building.id }, { staleTime: 0 })
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const [key] = useState(() => crypto.randomUUID())
  const rows = data?.rows ?? []
  const flatOf = (row: (typeof rows)[number]) => chosen[row.lineId] ?? row.flatId ?? ''
  const paid = rows.filter((row) => flatOf(row))
  return (
    <FormDialog
      title={t('committee.transfers.title')}
      verb={t('committee.pay.verb', { count: paid.length })}
      isDisabled={!paid.length}
      names={paid.flatMap((_, i) =>
        ['flatId', 'day', 'agorot', 'bankLineId'].map((name) => `payments.${i}.${name}`),
      )}
      onClose={onClose}
      onSubmit={async () => {
        const { receipts } = await call(calls.takePayments, {
          id: of.building.id,
          clientKey: key,
          payments: paid.map((row) => ({
            flatId: flatOf(row),
            agorot: row.agorot,
            means: paymentMeans.transfer,
            day: row.day,
            reference: row.reference.slice(0, 100),
            bankLineId: row.lineId,
          })),
        })
        await refreshHouse()
        banner.success(t('committee.pay.done', { count: receipts.length }))
        onClose()
      }}
    >
      {(error) =>
        !data ? (
          <Skeleton lines={4} />
        ) : rows.length === 0 ? (
          <p>{t('committee.transfers.none')}</p>
        ) : (
          <div className="vd-form">
            <p className="hint">{t('committee.transfers.text')}</p>
            {rows.map((row) => (
              <ChoiceField
                key={row.lineId}
                label={`${formatMoney(row.agorot)} · ${formatDay(row.day)} · ${row.text}`}
                as="list"
                value={flatOf(row)}
                onChange={(next) => setChosen({ ...chosen, [row.lineId]: next ?? '' })}
                choices={[
                  { value: '', label: t('committee.transfers.notOurs') },
                  ...of.rows.map((one) => ({
                    value: one.flatId,
                    label: `${t('committee.flat')} ${flatName(one)} · ${one.payer ?? t('committee.nobody')}`,
                  })),
                ]}
                {...(paid.includes(row) ? error(`payments.${paid.indexOf(row)}.flatId`, flatOf(row)) : {})}
              />
            ))}
          </div>
        )
      }
    </FormDialog>
  )
}

/** The pages of tenants, each of one person alone: a link is made and copied. */
export function TenantPagesDialog({ of, onClose }: { of: Grid; onClose: () => void }) {
  const t = useWords()
  const [who, setWho] = useState('')
  const [renew, setRenew] = useState(false)
  const people = [
    ...new Map(
      of.rows.flatMap((row) => row.payers.map((one) => [one.id, { ...one, flat: flatName(row) }] as const)),
    ).values(),
  ]
  return (
    <FormDialog
      title={t('committee.tenant.title')}
      verb={t('committee.tenant.copy')}
      isDisabled={!who}
      names={['customerId']}
      onClose={onClose}
      onSubmit={async () => {
        const { url } = await call(calls.setTenantPage, {
          id: of.building.id,
          customerId: who,
          on: true,
          renew,
        })
        if (url) await navigator.clipboard?.writeText(url).catch(() => undefined)
        banner.success(t('committee.page.copied'))
        onClose()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <p className="hint">{t('committee.tenant.text')}</p>
          <ChoiceField
            label={t('committee.tenant.who')}
            as="list"
            value={who}
            onChange={(next) => next && setWho(next)}
            choices={people.map((one) => ({
              value: one.id,
              label: `${t('committee.flat')} ${one.flat} · ${one.name}`,
            }))}
            {...error('customerId', who)}
          />
          <FlagField
            label={t('committee.page.renew')}
            hint={t('committee.page.renewHint')}
            value={renew}
            onChange={setRenew}
          />
        </div>
      )}
    </FormDialog>
  )
}

/** What the house spent: an expense of the books. */
export function ExpenseDialog({ of, onClose }: { of: Grid; onClose: () => void }) {
  const t = useWords()
  const types = resourceNamed('expensetypes')!
  const [supplier, setSupplier] = useState('')
  const [type, setType] = useState<{ key: string; label: string } | null>(null)
  const [agorot, setAgorot] = useState<number | null>(null)
  const [day, setDay] = useState<Day | null>(today)
  const [number, setNumber] = useState('')
  const [means, setMeans] = useState<'bank' | 'card' | 'cash' | 'cheque'>('bank')
  const [said, setSaid] = useState('')
  const [levy, setLevy] = useState('')
  return (
    <FormDialog
      title={t('committee.expense.title')}
      verb={t('committee.expense.verb')}
      names={['supplier', 'typeId', 'agorot', 'day', 'means', 'number', 'said', 'levyId']}
      onClose={onClose}
      onSubmit={async () => {
        await call(calls.addExpense, {
          id: of.building.id,
          supplier,
          typeId: type?.key ?? '',
          agorot: agorot ?? 0,
          day: day ?? today(),
          means,
          number,
          said,
          ...(levy ? { levyId: levy } : {}),
        })
        await refreshHouse()
        banner.success(t('committee.expense.done'))
        onClose()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <TextField
            label={t('committee.expense.supplier')}
            value={supplier}
            onChange={setSupplier}
            max={200}
            {...error('supplier', supplier)}
          />
          <TextField
            label={t('committee.expense.said')}
            hint={t('committee.expense.saidHint')}
            value={said}
            onChange={setSaid}
            max={200}
            {...error('said', said)}
          />
          <RefField
            label={t('committee.expense.type')}
            value={type}
            onChange={(option) => setType(option && { key: option.key, label: option.label })}
            search={searchIn(types)}
            {...error('typeId', type)}
          />
          <div className="vd-pair">
            <MoneyField
              label={t('committee.expense.sum')}
              value={agorot}
              onChange={setAgorot}
              {...error('agorot', agorot)}
            />
            <DayField label={t('committee.day')} value={day} onChange={setDay} {...error('day', day)} />
          </div>
          <div className="vd-pair">
            <ChoiceField
              label={t('committee.expense.means')}
              as="list"
              value={means}
              onChange={(next) => next && setMeans(next)}
              choices={(['bank', 'card', 'cash', 'cheque'] as const).map((value) => ({
                value,
                label: t(`committee.expense.by.${value}`),
              }))}
              {...error('means', means)}
            />
            <TextField
              label={t('committee.expense.number')}
              optional
              value={number}
              onChange={setNumber}
              max={40}
              {...error('number', number)}
            />
          </div>
          {of.levies.length > 0 && (
            <ChoiceField
              label={t('committee.expense.levy')}
              as="list"
              value={levy}
              onChange={(next) => setLevy(next ?? '')}
              choices={[
                { value: '', label: t('committee.expense.ofDues') },
                ...of.levies.map((one) => ({ value: one.id, label: one.name })),
              ]}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}

const rhythms = ['never', ...reminderRhythms] as const

/** How often debtors are reminded automatically. */
export function RemindersDialog({ of, onClose }: { of: Grid; onClose: () => void }) {
  const t = useWords()
  const { reminders } = of.building
  const [every, setEvery] = useState<(typeof rhythms)[number]>(reminders?.every ?? 'month')
  const [first, setFirst] = useState<Day | null>(reminders?.firstDay ?? today())
  return (
    <FormDialog
      title={t('committee.reminders.title')}
      verb={t('committee.save')}
      names={['every', 'firstDay']}
      onClose={onClose}
      onSubmit={async () => {
        const { nextOn } = await call(calls.setReminders, {
          id: of.building.id,
          every,
          firstDay: first ?? (every === 'never' ? today() : ''),
        })
        await refreshHouse()
        banner.success(
          nextOn ? t('committee.reminders.next', { day: formatDay(nextOn) }) : t('committee.reminders.off'),
        )
        onClose()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <p>{t('committee.reminders.text')}</p>
          <ChoiceField
            label={t('committee.reminders.every')}
            value={every}
            onChange={(next) => next && setEvery(next)}
            choices={rhythms.map((value) => ({ value, label: t(`committee.reminders.by.${value}`) }))}
            {...error('every', every)}
          />
          {every !== 'never' && (
            <DayField
              label={t('committee.reminders.first')}
              hint={t('committee.reminders.firstHint')}
              value={first}
              onChange={setFirst}
              {...error('firstDay', first)}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}

/** A levy the meeting decided. */
export function LevyDialog({ houseId, onClose }: { houseId: string; onClose: (id?: string) => void }) {
  const t = useWords()
  const [name, setName] = useState('')
  const [purpose, setPurpose] = useState('')
  const [rule, setRule] = useState<SplitRule>('area')
  const [agorot, setAgorot] = useState<number | null>(null)
  const [instalments, setInstalments] = useState<number | null>(6)
  const [first, setFirst] = useState<Day | null>(() => `${today().slice(0, 7)}-01`)
  const [decided, setDecided] = useState<Day | null>(today)
  const [votesFor, setVotesFor] = useState<number | null>(null)
  const [against, setAgainst] = useState<number | null>(0)
  const [voted, setVoted] = useState<number | null>(null)
  return (
    <FormDialog
      title={t('committee.levy.new')}
      verb={t('committee.levy.verb')}
      names={[
        'name',
        'purpose',
        'rule',
        'agorot',
        'instalments',
        'firstMonth',
        'decidedOn',
        'votesFor',
        'votesAgainst',
        'votedAgorot',
      ]}
      onClose={() => onClose()}
      onSubmit={async () => {
        await call(calls.makeLevy, {
          id: houseId,
          name,
          purpose,
          rule,
          agorot: agorot ?? 0,
          instalments: instalments ?? 0,
          firstMonth: monthOf(first),
          decidedOn: decided ?? '',
          votesFor: votesFor ?? 0,
          votesAgainst: against ?? 0,
          ...(voted === null ? {} : { votedAgorot: voted }),
        })
        await refreshHouse()
        banner.success(t('committee.levy.done'))
        onClose()
      }}
    >
      {(error) => (
        <div className="vd-form">
          <TextField
            label={t('committee.levy.name')}
            value={name}
            onChange={setName}
            max={120}
            {...error('name', name)}
          />
          <LongText
            label={t('committee.levy.purpose')}
            optional
            value={purpose}
            onChange={setPurpose}
            max={1000}
            {...error('purpose', purpose)}
          />
          <div className="vd-pair">
            <MoneyField
              label={t('committee.levy.sum')}
              value={agorot}
              onChange={setAgorot}
              {...error('agorot', agorot)}
            />
            <WholeField
              label={t('committee.levy.instalments')}
              value={instalments}
              onChange={setInstalments}
              {...error('instalments', instalments)}
            />
          </div>
          <ChoiceField
            label={t('committee.rule.label')}
            as="list"
            value={rule}
            onChange={(next) => next && setRule(next)}
            choices={splitRules.map((value) => ({ value, label: t(`committee.rule.${value}`) }))}
            {...error('rule', rule)}
          />
          {agorot !== null && agorot > 0 && instalments !== null && instalments > 0 && (
            <Shares houseId={houseId} rule={rule} agorot={agorot} instalments={instalments} />
          )}
          <div className="vd-pair">
            <DayField
              label={t('committee.levy.first')}
              value={first}
              onChange={setFirst}
              {...error('firstMonth', first)}
            />
            <DayField
              label={t('committee.levy.decided')}
              value={decided}
              onChange={setDecided}
              {...error('decidedOn', decided)}
            />
          </div>
          <div className="vd-pair">
            <WholeField
              label={t('committee.levy.for')}
              value={votesFor}
              onChange={setVotesFor}
              {...error('votesFor', votesFor)}
            />
            <WholeField
              label={t('committee.levy.against')}
              value={against}
              onChange={setAgainst}
              {...error('votesAgainst', against)}
            />
          </div>
          <MoneyField
            label={t('committee.levy.most')}
            hint={t('committee.levy.mostHint')}
            optional
            value={voted}
            onChange={setVoted}
            {...error('votedAgorot', voted)}
          />
        </div>
      )}
    </FormDialog>
  )
}

/** What each flat would pay, before anybody is asked for it. */
function Shares({
  houseId,
  ...asked
}: {
  houseId: string
  rule: SplitRule
  agorot: number
  instalments: number
}) {
  const t = useWords()
  const { data, error } = useCall(calls.levyShares, { id: houseId, ...asked })
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={3} />
  return (
    <div role="group" aria-label={t('committee.levy.shares')}>
      <p className="hint text-12">{t('committee.levy.shares')}</p>
      <ul className="vd-shares">
        {data.rows.map((row) => (
          <li key={row.flatId}>
            <span>
              {t('committee.flat')} <bdi>{flatName(row)}</bdi>
            </span>
            <span>
              {row.isExempt ? t('committee.levy.exempt') : <Num>{formatMoney(row.agorot)}</Num>}
              {asked.instalments > 1 && row.agorot > 0 && (
                <span className="hint text-12">
                  {' '}
                  {t('committee.levy.each', { count: asked.instalments, sum: formatMoney(row.firstAgorot) })}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
