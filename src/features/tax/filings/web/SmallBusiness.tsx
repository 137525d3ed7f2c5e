import { Check, Plus, Sprout, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { endOfMonth, yearOf } from '#domain/day.ts'
import { smallPayments, type SmallPayment } from '#domain/filings/smallBusiness.ts'
import { formatDay, formatMoney, formatPercent } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { LawNote } from '#features/base/law/web/index.tsx'
import {
  addSmallPayment,
  dropSmallPayment,
  electSmall,
  fileSmallStatement,
  reopenSmallStatement,
  smallBusiness,
} from '../endpoints.ts'
import { opensPapers } from '../papers.ts'
import { Missing, useYear } from './shared.tsx'

type Year = OutputOf<typeof smallBusiness>
type Open = 'take' | 'stop' | 'payment' | 'filed'

// The home page and the due days of the office follow the election.
const refresh = () => queryClient.invalidateQueries()
const lawKeys = ['exemptCeiling', 'smallDeduction'] as const

/** A small business in a tax year: its election, both methods compared, and its short statement. */
export function Screen() {
  const t = useWords()
  const { year, choice } = useYear()
  const [other, setOther] = useState<number | null>(null)
  const { data, error, refetch } = useCall(smallBusiness, {
    year,
    ...(other ? { otherDeductionsAgorot: other } : {}),
  })
  const last = useLast(data)
  // The table stays while the comparison is worked out with other deductions.
  const shown = data ?? (last?.year === year ? last : undefined)
  return (
    <div className="fi-stack">
      <PageHeader
        title={t('screens.smallBusiness')}
        sub={shown && t('filings.small.sub', { rate: formatPercent(shown.figures.rateBp) })}
      />
      {choice}
      {!shown ? (
        <Missing error={error} retry={() => void refetch()} />
      ) : shown.isIndividual ? (
        <Body of={shown} other={other} setOther={setOther} />
      ) : (
        <EmptyState icon={Users} title={t('filings.small.onlyIndividuals')}>
          {t('errors.filings.notIndividual')}
        </EmptyState>
      )}
    </div>
  )
}

interface BodyProps {
  of: Year
  other: number | null
  setOther: (agorot: number | null) => void
}

function Body({ of, other, setOther }: BodyProps) {
  const may = useCan()('filings.make')
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <>
      <LawNote keys={lawKeys} day={`${of.year}-12-31`} />
      <Standing of={of} may={may} onOpen={setOpen} />
      {of.takes && <Statement of={of} may={may} onOpen={setOpen} />}
      <Comparison of={of} other={other} setOther={setOther} />
      <Payments of={of} may={may} onAdd={() => setOpen('payment')} />
      <Months of={of} />
      {(open === 'take' || open === 'stop') && <Elect of={of} takes={open === 'take'} onClose={close} />}
      {open === 'payment' && <NewPayment onClose={close} year={of.year} />}
      {open === 'filed' && <MarkFiled year={of.year} onClose={close} />}
    </>
  )
}

interface PartProps {
  of: Year
  may: boolean
  onOpen: (what: Open) => void
}

/** Whether the business takes the track in the year, and how far its turnover is from the ceiling. */
function Standing({ of, may, onOpen }: PartProps) {
  const t = useWords()
  const year = String(of.year)
  const isBarred = of.mayTakeFrom > of.year
  return (
    <>
      <Note
        tone={of.takes ? 'done' : 'info'}
        action={
          may &&
          !of.filed &&
          (of.takes ? (
            <Button size="s" onPress={() => onOpen('stop')}>
              {t('filings.small.stop', { year })}
            </Button>
          ) : (
            !isBarred && (
              <Button size="s" onPress={() => onOpen('take')}>
                {t('filings.small.take', { year })}
              </Button>
            )
          ))
        }
      >
        {t(of.takes ? 'filings.small.takes' : 'filings.small.takesNot', { year })}{' '}
        {!of.takes && isBarred && t('errors.filings.smallBarred', { year: String(of.mayTakeFrom) })}
      </Note>
      {of.ceilingState !== 'within' && (
        <Note tone={of.ceilingState === 'passed' ? 'late' : 'wait'}>
          {t(`filings.small.ceiling.${of.ceilingState}`, { year })}{' '}
          {of.ceilingAgorot !== null && (
            <Num>
              ₪{formatMoney(of.figures.wholeAgorot)} / ₪{formatMoney(of.ceilingAgorot)}
            </Num>
          )}
        </Note>
      )}
    </>
  )
}

/** What the short statement says, by when, and whether it was filed. */
function Statement({ of, may, onOpen }: PartProps) {
  const t = useWords()
  const { figures, filed } = of
  const reopen = async () => {
    try {
      await call(reopenSmallStatement, { id: filed!.id })
      await refresh()
      banner.success(t('filings.small.reopened'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const rate = formatPercent(figures.rateBp)
  const rows = [
    { key: 'turnover', name: t('filings.small.field.turnover'), agorot: figures.turnoverAgorot },
    { key: 'compensation', name: t('filings.small.field.compensation'), agorot: figures.compensationAgorot },
    {
      key: 'deduction',
      name: t('filings.small.field.deduction', { rate }),
      agorot: -figures.deductionAgorot,
    },
    { key: 'other', name: t('filings.small.line.otherPayments'), agorot: figures.otherPaymentsAgorot },
    { key: 'income', name: t('filings.small.line.income'), agorot: figures.incomeAgorot },
    { key: 'withheld', name: t('filings.small.field.withheld'), agorot: figures.withheldAgorot },
  ]
  return (
    <>
      {filed ? (
        <Note
          tone="done"
          action={
            may && (
              <Button size="s" onPress={() => void reopen()}>
                {t('filings.small.reopen')}
              </Button>
            )
          }
        >
          {t('filings.small.filed', { day: formatDay(filed.filedDay) })} {filed.reference}{' '}
          {filed.filedBy && t('filings.small.filedBy', { name: filed.filedBy })}
        </Note>
      ) : (
        <Note>
          {!of.isOver && t('filings.small.declare', { day: formatDay(of.declareUntil) })}{' '}
          {t(of.isByRule ? 'filings.small.reportByRule' : 'filings.small.report', {
            day: formatDay(of.dueDay),
          })}
        </Note>
      )}
      {filed && of.changedSince && (
        <Note
          tone="wait"
          action={
            <Button
              size="s"
              href={`/invoice/reportfiledchanges?form=small&from=${of.year}-01-01&to=${of.year}-12-31`}
            >
              {t('filings.small.whatChanged')}
            </Button>
          }
        >
          {t('filings.small.changed')} <MoneyCell value={filed.figures.incomeAgorot} zero="show" />
        </Note>
      )}
      {of.differences > 0 && (
        <Note
          tone="late"
          action={
            <Button
              size="s"
              href={`/invoice/reportfilingdifferences?form=advances&from=${of.year}-01-01&to=${of.year}-12-31`}
            >
              {t('kit.reports.explained')}
            </Button>
          }
        >
          {t('errors.filings.differ', { count: of.differences })}
        </Note>
      )}
      <Card
        title={t('filings.small.statement')}
        flush
        end={
          may &&
          of.isOver &&
          !filed && (
            <Button size="s" kind="primary" icon={Check} onPress={() => onOpen('filed')}>
              {t('filings.small.markFiled')}
            </Button>
          )
        }
      >
        <DataTable
          label={t('filings.small.statement')}
          main
          rows={rows}
          rowKey={(row) => row.key}
          rowName={(row) => row.name}
          rowHref={(row) => {
            const days = { from: `${of.year}-01-01`, to: `${of.year}-12-31` }
            if (row.key === 'turnover') return opensPapers('turnover', days)
            return row.key === 'withheld' ? opensPapers('withheldFromUs', days) : undefined
          }}
          isSum={(row) => row.key === 'income'}
          columns={[
            {
              key: 'name',
              title: t('filings.small.field.name'),
              strong: true,
              phone: 'title',
              cell: (row) => row.name,
            },
            {
              key: 'agorot',
              title: t('filings.columns.amount'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <MoneyCell value={row.agorot} zero="show" />,
            },
          ]}
        />
      </Card>
    </>
  )
}

/** What is taxed by the fixed deduction and by the expenses as they were. */
function Comparison({ of, other, setOther }: BodyProps) {
  const t = useWords()
  const { figures } = of
  const rows = [
    { key: 'small', deduction: figures.deductionAgorot, income: figures.incomeAgorot },
    { key: 'actual', deduction: of.actualAgorot, income: of.actualIncomeAgorot },
  ]
  const amount = (key: string, value: (row: (typeof rows)[number]) => number) => ({
    key,
    title: t(`filings.small.line.${key}`),
    align: 'amount' as const,
    ...(key === 'income' ? { phone: 'amount' as const } : {}),
    cell: (row: (typeof rows)[number]) => <MoneyCell value={value(row)} zero="show" />,
  })
  return (
    <Card title={t('filings.small.compare')} hint={t('filings.small.compareHint', { year: String(of.year) })}>
      <div className="fi-stack">
        <Note tone="info">
          {t(`filings.small.better.${of.better}`, { amount: `₪${formatMoney(of.differenceAgorot)}` })}
        </Note>
        <DataTable
          label={t('filings.small.compare')}
          rows={rows}
          rowKey={(row) => row.key}
          rowName={(row) => t(`filings.small.method.${row.key}`)}
          columns={[
            {
              key: 'method',
              title: t('filings.small.line.name'),
              strong: true,
              phone: 'title',
              cell: (row) => t(`filings.small.method.${row.key}`),
            },
            amount('whole', () => figures.wholeAgorot),
            amount('deduction', ({ deduction }) => -deduction),
            ...(figures.otherPaymentsAgorot === 0
              ? []
              : [amount('otherPayments', () => figures.otherPaymentsAgorot)]),
            amount('income', ({ income }) => income),
          ]}
        />
        <div className="fi-form">
          <MoneyField
            label={t('filings.small.otherDeductions')}
            hint={t('filings.small.otherDeductionsHint')}
            value={other}
            onChange={setOther}
          />
        </div>
      </div>
    </Card>
  )
}

function Payments({ of, may, onAdd }: { of: Year; may: boolean; onAdd: () => void }) {
  const t = useWords()
  const mayChange = may && !of.filed
  const drop = async (id: string) => {
    try {
      await call(dropSmallPayment, { id })
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <Card
      title={t('filings.small.payments')}
      hint={t('filings.small.paymentsHint')}
      flush
      end={
        mayChange && (
          <Button size="s" icon={Plus} onPress={onAdd}>
            {t('filings.small.payment.add')}
          </Button>
        )
      }
    >
      <DataTable
        label={t('filings.small.payments')}
        rows={of.payments}
        rowKey={(row) => row.id}
        rowName={(row) => t(`filings.small.payment.${row.kind}`)}
        empty={<EmptyState icon={Sprout} title={t('filings.small.payment.none')} />}
        {...(mayChange
          ? {
              menu: (row: Year['payments'][number]) => [
                {
                  key: 'drop',
                  label: t('filings.small.payment.drop'),
                  icon: Trash2,
                  tone: 'danger' as const,
                  onPress: () => void drop(row.id),
                },
              ],
            }
          : {})}
        columns={[
          {
            key: 'day',
            title: t('filings.columns.day'),
            width: 'fit',
            phone: 'line',
            cell: (row) => <Num>{formatDay(row.day)}</Num>,
          },
          {
            key: 'kind',
            title: t('filings.small.payment.kind'),
            strong: true,
            phone: 'title',
            cell: (row) => t(`filings.small.payment.${row.kind}`),
          },
          {
            key: 'note',
            title: t('filings.small.payment.note'),
            width: 'trim',
            cell: (row) => <bdi>{row.note}</bdi>,
          },
          {
            key: 'withheld',
            title: t('filings.small.payment.withheld'),
            align: 'amount',
            cell: (row) => <MoneyCell value={row.withheldAgorot} />,
          },
          {
            key: 'amount',
            title: t('filings.columns.amount'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.amountAgorot} />,
          },
        ]}
      />
    </Card>
  )
}

/** The income of each month, which leads to its documents. */
function Months({ of }: { of: Year }) {
  const t = useWords()
  const name = (month: string) => `${month.slice(5)}/${month.slice(0, 4)}`
  return (
    <Card title={t('filings.small.months')} flush>
      <DataTable
        label={t('filings.small.months')}
        density="dense"
        rows={of.months}
        rowKey={(row) => row.month}
        rowName={(row) => name(row.month)}
        rowHref={(row) =>
          opensPapers('turnover', { from: `${row.month}-01`, to: endOfMonth(`${row.month}-01`) })
        }
        columns={[
          {
            key: 'month',
            title: t('filings.small.month'),
            strong: true,
            phone: 'title',
            cell: (row) => <Num>{name(row.month)}</Num>,
            foot: t('filings.small.line.whole'),
          },
          {
            key: 'agorot',
            title: t('filings.columns.amount'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.agorot} zero="show" />,
            foot: <MoneyCell value={of.figures.turnoverAgorot} zero="show" />,
          },
        ]}
      />
    </Card>
  )
}

function Elect({ of, takes, onClose }: { of: Year; takes: boolean; onClose: () => void }) {
  const t = useWords()
  const [meetsConditions, setMeets] = useState(false)
  const year = String(of.year)
  const save = async () => {
    await call(electSmall, { year: of.year, takes, ...(takes ? { meetsConditions } : {}) })
    await refresh()
    banner.success(t(takes ? 'filings.small.taken' : 'filings.small.stopped', { year }))
    onClose()
  }
  return (
    <FormDialog
      title={t(takes ? 'filings.small.take' : 'filings.small.stop', { year })}
      verb={t('kit.forms.save')}
      names={['meetsConditions']}
      onClose={onClose}
      onSubmit={save}
    >
      {(error) =>
        takes ? (
          <>
            <p>{t('filings.small.takeHint')}</p>
            <ul>
              {of.conditions.map((one) => (
                <li key={one}>
                  {t(`filings.small.condition.${one}`, { rate: formatPercent(of.relativesBp ?? 0) })}
                </li>
              ))}
            </ul>
            <FlagField
              label={t('filings.small.meets')}
              value={meetsConditions}
              onChange={setMeets}
              {...error('meetsConditions', meetsConditions)}
            />
          </>
        ) : (
          <p>{t('filings.small.stopHint', { year })}</p>
        )
      }
    </FormDialog>
  )
}

function NewPayment({ year, onClose }: { year: number; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [kind, setKind] = useState<string | null>('reserve')
  const [date, setDate] = useState<string | null>(() => (yearOf(today) === year ? today : `${year}-12-31`))
  const [amountAgorot, setAmount] = useState<number | null>(null)
  const [withheldAgorot, setWithheld] = useState<number | null>(null)
  const [note, setNote] = useState('')
  const save = async () => {
    await call(addSmallPayment, {
      kind: kind as SmallPayment,
      date: date ?? '',
      amountAgorot: amountAgorot as number,
      withheldAgorot: withheldAgorot ?? 0,
      note,
    })
    await refresh()
    banner.success(t('filings.small.payment.added'))
    onClose()
  }
  return (
    <FormDialog
      title={t('filings.small.payment.add')}
      verb={t('kit.forms.save')}
      names={['kind', 'date', 'amountAgorot', 'withheldAgorot', 'note']}
      onClose={onClose}
      onSubmit={save}
    >
      {(error) => (
        <>
          <ChoiceField
            as="list"
            label={t('filings.small.payment.kind')}
            value={kind}
            onChange={setKind}
            choices={smallPayments.map((value) => ({ value, label: t(`filings.small.payment.${value}`) }))}
            {...error('kind', kind)}
          />
          <DayField
            label={t('filings.columns.day')}
            value={date}
            onChange={setDate}
            {...error('date', date)}
          />
          <MoneyField
            label={t('filings.columns.amount')}
            value={amountAgorot}
            onChange={setAmount}
            {...error('amountAgorot', amountAgorot)}
          />
          <MoneyField
            label={t('filings.small.payment.withheld')}
            value={withheldAgorot}
            onChange={setWithheld}
            {...error('withheldAgorot', withheldAgorot)}
          />
          <TextField
            label={t('filings.small.payment.note')}
            max={200}
            value={note}
            onChange={setNote}
            {...error('note', note)}
          />
        </>
      )}
    </FormDialog>
  )
}

function MarkFiled({ year, onClose }: { year: number; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [date, setDate] = useState<string | null>(today)
  const [reference, setReference] = useState('')
  const save = async () => {
    const { filedDay } = await call(fileSmallStatement, { year, date: date ?? '', reference })
    await refresh()
    banner.success(t('filings.small.filed', { day: formatDay(filedDay) }))
    onClose()
  }
  return (
    <FormDialog
      title={t('filings.small.markFiled')}
      verb={t('filings.small.markFiled')}
      names={['date', 'reference']}
      onClose={onClose}
      onSubmit={save}
    >
      {(error) => (
        <>
          <DayField
            label={t('filings.small.filedDay')}
            value={date}
            onChange={setDate}
            {...error('date', date)}
          />
          <TextField
            label={t('filings.small.reference')}
            max={60}
            value={reference}
            onChange={setReference}
            {...error('reference', reference)}
          />
        </>
      )}
    </FormDialog>
  )
}
