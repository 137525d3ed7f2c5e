import {
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  CloudOff,
  Download,
  FileSpreadsheet,
  FileText,
  Pencil,
  Printer,
  ListChecks,
  ListOrdered,
} from 'lucide-react'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { PeriodChoice } from '#kit/web/screens/PeriodChoice.tsx'
import { periodIn } from '#kit/web/screens/periods.ts'
import { exportReport } from '#kit/web/screens/reportCalls.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import { accounts } from '../accounts.ts'
import { cardLines, type CardLine } from '../endpoints.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import './dress.tsx'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import './ledger.css'

const Facts = lazy(() =>
  fetchPart(() => import('#kit/web/screens/Facts.tsx')).then(({ Facts }) => ({ default: Facts })),
)

/**
 * The card of an account: every movement with its running balance. Who may see the chart but not the books
 * gets the account's facts only.
 */
export function Screen() {
  const t = useWords()
  const today = useToday()
  const may = useCan()
  const id = usePlace().params.cardid ?? ''
  const { data: account } = useRecord(accounts, id)
  const [editing, setEditing] = useState(false)
  const [isPart, setPart] = useState(false)
  const fetchFile = useFile()
  const { query } = usePlace()
  const period = periodIn(query, today)
  const file = (format: 'csv' | 'xlsx' | 'pdf') =>
    void fetchFile(
      exportReport,
      { file: `accountCard.${format}`, account: id, ...period },
      { open: format === 'pdf' },
    )
  const name = account ? String(account.name) : t('accounts.one')
  useTitle(account && `${String(account.number)} ${name}`)
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('accounts.title'), href: accounts.screens.list }]}
        {...(account ? { number: String(account.number) } : {})}
        title={name}
        status={account && <StatusPill dot={false}>{t(`accounts.kind.${String(account.kind)}`)}</StatusPill>}
        actions={
          <>
            <Button
              kind="quiet"
              icon={Printer}
              className="d-wide"
              onPress={() => (isPart ? file('pdf') : print())}
            >
              {t('kit.reports.print')}
            </Button>
            {may(accounts.allow.change) && (
              <Button icon={Pencil} isDisabled={!account} onPress={() => setEditing(true)}>
                {t('kit.lists.edit')}
              </Button>
            )}
          </>
        }
      />
      {may('reports.accounting') ? (
        <Lines key={id} id={id} name={name} period={period} onFile={file} onPart={setPart} />
      ) : (
        account && (
          <Suspense>
            <Facts resource={accounts} row={account} />
          </Suspense>
        )
      )}
      {editing && account && (
        <RecordSheet
          resource={accounts}
          record={account}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            banner.success(t('kit.forms.saved'))
          }}
        />
      )}
    </>
  )
}

/**
 * The position in the card: from the beginning, after or before a line, or its end. It is in the address, so that
 * one can come back to it.
 */
const places = ['after', 'before', 'last'] as const
const atBeginning = { after: undefined, before: undefined, last: undefined }

interface Row extends CardLine {
  key: string
  isSum?: boolean
}

interface LinesProps {
  id: string
  name: string
  period: { from: string; to: string }
  onFile: (format: 'csv' | 'xlsx' | 'pdf') => void
  /** Whether the page shows only a part of the card: the printed one has all of it. */
  onPart: (isPart: boolean) => void
}

function Lines({ id, name, period, onFile: file, onPart }: LinesProps) {
  const t = useWords()
  const { dir } = useLanguage()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  const place = places.find((one) => query[one])
  const page = place ? { [place]: place === 'last' ? 'true' : query[place] } : {}
  const setPage = (next: Partial<Record<(typeof places)[number], string>>) =>
    setQuery({ ...atBeginning, ...next })
  const { data, error, isPlaceholderData } = useCall(
    cardLines,
    { id, ...period, size: 100, ...page },
    { placeholderData: keepPreviousData },
  )
  const isPart = data !== undefined && (data.previous !== null || data.next !== null)
  useEffect(() => onPart(isPart), [isPart, onPart])
  if (error && !data)
    return (
      <EmptyState icon={CloudOff} title={t('kit.reports.failed')}>
        {failureText(t, error)}
      </EmptyState>
    )
  const carried = data && (data.previous ? 'carried' : 'opening')
  const rows: Row[] = data
    ? [
        sumLine(t(`ledger.card.${carried}`), data.carriedAgorot),
        ...data.rows.map((row, i) => ({ ...row, key: `${row.entryId}-${i}` })),
      ]
    : []
  const [Back, Forward] = dir === 'rtl' ? [ChevronRight, ChevronLeft] : [ChevronLeft, ChevronRight]
  const [First, Last] = dir === 'rtl' ? [ChevronLast, ChevronFirst] : [ChevronFirst, ChevronLast]
  return (
    <div className="lg-stack">
      <div className="d-asks" data-screen-only>
        <PeriodChoice
          value={period}
          onChange={({ from, to }) => {
            setQuery({ ...atBeginning, from, to })
          }}
        />
        <span className="lg-end">
          {may('matching.see') && (
            <Button kind="quiet" size="s" icon={ListChecks} href={`/invoice/atamot?account=${id}`}>
              {t('ledger.card.match')}
            </Button>
          )}
          {isPart && (
            <Button
              kind="quiet"
              size="s"
              icon={ListOrdered}
              href={`/invoice/reportmanualcard?account=${id}&from=${period.from}&to=${period.to}`}
            >
              {t('ledger.card.all')}
            </Button>
          )}
          <Menu
            label={t('kit.lists.export')}
            items={[
              { key: 'pdf', label: t('kit.reports.pdf'), icon: FileText, onPress: () => file('pdf') },
              { key: 'xlsx', label: t('kit.lists.xlsx'), icon: FileSpreadsheet, onPress: () => file('xlsx') },
              { key: 'csv', label: t('kit.lists.csv'), icon: Download, onPress: () => file('csv') },
            ]}
            trigger={
              <Button kind="quiet" size="s" icon={Download}>
                {t('kit.lists.export')}
              </Button>
            }
          />
        </span>
      </div>
      {!hides && (
        <Figures label={t('ledger.card.figures')}>
          <Figure label={t('ledger.card.opening')} value={<Come amount={data?.openingAgorot} />} size="s" />
          <Figure label={t('ledger.side.debit')} value={<Come amount={data?.debitAgorot} />} size="s" />
          <Figure label={t('ledger.side.credit')} value={<Come amount={data?.creditAgorot} />} size="s" />
          <Figure
            label={t('ledger.card.closing')}
            value={<Come amount={data?.closingAgorot} />}
            size="s"
            tone="result"
          />
        </Figures>
      )}
      {!hides &&
        data?.foreign.map(({ currency, ...of }) => (
          <Figures key={currency} label={t('ledger.card.figuresIn', { currency })}>
            <Figure
              label={t('ledger.card.opening')}
              value={<Money amount={of.openingAgorot} currency={currency} />}
              size="s"
            />
            <Figure
              label={t('ledger.side.debit')}
              value={<Money amount={of.debitAgorot} currency={currency} />}
              size="s"
            />
            <Figure
              label={t('ledger.side.credit')}
              value={<Money amount={of.creditAgorot} currency={currency} />}
              size="s"
            />
            <Figure
              label={t('ledger.card.closing')}
              value={<Money amount={of.closingAgorot} currency={currency} />}
              size="s"
            />
          </Figures>
        ))}
      <div data-stale={isPlaceholderData ? '' : undefined} className="d-rows">
        <DataTable
          label={name}
          main
          density="dense"
          columns={columnsOf(t, rows)}
          rows={rows}
          rowKey={({ key }) => key}
          rowName={(row) => row.reference || row.details || formatDay(row.day)}
          rowHref={(row) => (row.isSum ? undefined : row.open)}
          onOpen={(row) => !row.isSum && go(row.open)}
          isSum={({ isSum }) => isSum === true}
          loading={!data}
        />
      </div>
      {data && (
        <nav className="lg-pages" aria-label={t('ledger.card.pages')} data-screen-only>
          <span role="status">{t('kit.reports.count', { count: data.rows.length })}</span>
          <span className="lg-end">
            <Button
              kind="quiet"
              size="s"
              icon={First}
              label={t('ledger.card.first')}
              isDisabled={!data.previous}
              onPress={() => setPage({})}
            />
            <Button
              kind="quiet"
              size="s"
              icon={Back}
              label={t('ledger.card.previous')}
              isDisabled={!data.previous}
              onPress={() => setPage({ before: data.previous! })}
            />
            <Button
              kind="quiet"
              size="s"
              icon={Forward}
              label={t('ledger.card.next')}
              isDisabled={!data.next}
              onPress={() => setPage({ after: data.next! })}
            />
            <Button
              kind="quiet"
              size="s"
              icon={Last}
              label={t('ledger.card.last')}
              isDisabled={!data.next}
              onPress={() => setPage({ last: 'true' })}
            />
          </span>
        </nav>
      )}
    </div>
  )
}

/** A sum that comes: its room is kept. */
const Come = ({ amount }: { amount: number | undefined }) =>
  amount === undefined ? (
    <span className="invisible">
      <Money amount={0} />
    </span>
  ) : (
    <Money amount={amount} />
  )

const sumLine = (details: string, balanceAgorot: number): Row => ({
  key: 'sum',
  isSum: true,
  entryId: '',
  day: '',
  valueDay: '',
  kind: '',
  reference: '',
  details,
  counter: '',
  party: null,
  batch: null,
  open: '',
  currency: null,
  foreignAgorot: null,
  debitAgorot: 0,
  creditAgorot: 0,
  balanceAgorot,
})

/**
 * A column that says nothing on this page leaves its room to the words; reference and batch come back with
 * the first line that has one.
 */
const columnsOf = (t: Words, rows: readonly Row[]): Column<Row>[] => {
  const word = (name: string) => t(`ledger.reports.accountCard.columns.${name}`)
  const isThere: Record<string, boolean> = {
    valueDay: rows.some((row) => row.valueDay !== row.day),
    reference: rows.some((row) => row.reference !== ''),
    batch: rows.some((row) => row.batch !== null),
    foreign: rows.some((row) => row.currency !== null),
  }
  const all: Column<Row>[] = [
    {
      key: 'day',
      title: word('day'),
      width: 'fit',
      phone: 'line',
      cell: (row) => !row.isSum && <Num>{formatDay(row.day)}</Num>,
    },
    {
      key: 'valueDay',
      title: word('valueDay'),
      width: 'fit',
      cell: (row) => !row.isSum && row.valueDay !== row.day && <Num>{formatDay(row.valueDay)}</Num>,
    },
    {
      key: 'kind',
      title: word('kind'),
      width: 'fit',
      cell: (row) => !row.isSum && t(`ledger.kinds.${row.kind}`),
    },
    {
      key: 'reference',
      title: word('reference'),
      width: 'fit',
      strong: true,
      cell: (row) => row.reference && <Num>{row.reference}</Num>,
    },
    {
      key: 'batch',
      title: t('ledger.card.batch'),
      width: 'fit',
      align: 'amount',
      cell: (row) => row.batch && <Num>{row.batch}</Num>,
    },
    {
      key: 'details',
      title: word('details'),
      width: 'trim',
      phone: 'title',
      cell: (row) => (
        <TextCell
          value={[row.party, row.details].filter(Boolean).join(' · ') || (row.isSum ? '' : row.counter)}
        />
      ),
    },
    {
      key: 'counter',
      title: word('counter'),
      width: '16%',
      cell: (row) => row.counter && <TextCell value={row.counter} quiet />,
    },
    {
      key: 'foreign',
      title: word('foreignAgorot'),
      align: 'amount',
      cell: (row) =>
        row.currency &&
        row.foreignAgorot !== null && <Money amount={row.foreignAgorot} currency={row.currency} />,
    },
    {
      key: 'debit',
      title: word('debitAgorot'),
      align: 'amount',
      phone: 'line',
      named: (row) => !row.isSum && row.debitAgorot !== 0,
      cell: (row) => !row.isSum && <MoneyCell value={row.debitAgorot} zero="blank" />,
    },
    {
      key: 'credit',
      title: word('creditAgorot'),
      align: 'amount',
      phone: 'line',
      named: (row) => !row.isSum && row.creditAgorot !== 0,
      cell: (row) => !row.isSum && <MoneyCell value={row.creditAgorot} zero="blank" />,
    },
    {
      key: 'balance',
      title: word('balanceAgorot'),
      align: 'amount',
      phone: 'amount',
      cell: (row) => <MoneyCell value={row.balanceAgorot} zero="show" />,
    },
  ]
  return all.filter(({ key }) => isThere[key] ?? true)
}
