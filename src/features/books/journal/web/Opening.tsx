import { FileUp, Lock, Save } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import type { Day } from '#domain/day.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { TableFileButton } from '#kit/web/parts/TableFileButton.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { matches } from '#kit/web/parts/matches.ts'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { FilterBar } from '#kit/web/parts/FilterBar.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { useChiefKey, useKeys } from '#kit/web/parts/useKeys.ts'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { Views } from '#kit/web/parts/Views.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLatest } from '#kit/web/hooks/useLatest.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import {
  journalFacts,
  keepOpening,
  openingBalances,
  postOpening,
  readBalanceFile,
  type JournalFacts,
} from '../endpoints.ts'
import { openingCustomers, openingSuppliers } from '../journal.ts'
import { pastedRows, readBalances, type ReadBalances, type SheetRow } from './balanceSheets.ts'
import { batchesPath } from './state.tsx'
import './dress.tsx'
import './journal.css'

/**
 * What the accounts stood at on the day a business begins to keep its books here. Posted once, and undone
 * like any batch.
 */
export function Screen() {
  const t = useWords()
  const facts = useCall(journalFacts, {}, { staleTime: 5 * 60_000 })
  const opening = useCall(openingBalances, {})
  const error = facts.error ?? opening.error
  return (
    <>
      {error ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : !facts.data || !opening.data ? (
        <Skeleton lines={8} />
      ) : opening.data.posted ? (
        <>
          <PageHeader title={t('screens.openingBalances')} />
          <Note
            tone="done"
            action={
              <Link className="link aim" href={`${batchesPath}/${opening.data.posted.batchId}`}>
                {t('journal.batch.named', { number: String(opening.data.posted.number) })}
              </Link>
            }
          >
            {t('journal.opening.isPosted')} <Num>{formatDay(opening.data.posted.day)}</Num>
          </Note>
          <div className="mt-4 grid gap-4">
            {(['customers', 'suppliers'] as const).map((of) => (
              <Posted
                key={of}
                of={of}
                items={opening.data.posted!.items.filter(({ role }) => `${role}s` === of)}
              />
            ))}
          </div>
        </>
      ) : (
        <Balances facts={facts.data} opening={opening.data} />
      )}
    </>
  )
}

type PostedItem = NonNullable<OutputOf<typeof openingBalances>['posted']>['items'][number]

/** What one side owed at the opening, and what of it is open still. */
function Posted({ of, items }: { of: 'customers' | 'suppliers'; items: PostedItem[] }) {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const { name } = registers[of]
  if (items.length === 0) return null
  return (
    <Card title={t(`${name}.title`)} flush>
      <DataTable
        label={t(`${name}.title`)}
        rows={items}
        rowKey={({ id }) => id}
        rowName={(item) => `${item.party} ${item.number}`}
        rowHref={({ path }) => path}
        onOpen={({ path }) => go(path)}
        columns={[
          {
            key: 'party',
            title: t(`${name}.fields.partyId`),
            strong: true,
            phone: 'title',
            cell: (item) => <TextCell value={item.party} />,
          },
          {
            key: 'number',
            title: t(`${name}.fields.number`),
            width: 'fit',
            phone: 'line',
            cell: (item) => <bdi>{item.number}</bdi>,
          },
          {
            key: 'day',
            title: t(`${name}.fields.day`),
            width: 'fit',
            phone: 'line',
            cell: (item) => <Num>{formatDay(item.day)}</Num>,
          },
          ...(hides
            ? []
            : ([
                {
                  key: 'amount',
                  title: t(`${name}.fields.amountAgorot`),
                  align: 'amount',
                  cell: (item: PostedItem) => <Money amount={item.amountAgorot} currency={item.currency} />,
                },
                {
                  key: 'open',
                  title: t('journal.opening.open'),
                  align: 'amount',
                  phone: 'amount',
                  cell: (item: PostedItem) => <Money amount={item.openAgorot} currency={item.currency} />,
                },
              ] as const)),
        ]}
      />
    </Card>
  )
}

const tabs = ['accounts', 'customers', 'suppliers'] as const
type Tab = (typeof tabs)[number]
const registers = { customers: openingCustomers, suppliers: openingSuppliers } as const

interface Sides {
  debit: number | null
  credit: number | null
  /** Of an account that is held in another currency. */
  foreign?: number | null
}

function Balances({ facts, opening }: { facts: JournalFacts; opening: OutputOf<typeof openingBalances> }) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const phone = usePhone()
  const [day, setDay] = useState<Day>(opening.date)
  const [of, setOf] = useState<Record<string, Sides>>(() =>
    Object.fromEntries(
      opening.lines.map((line) => [
        line.accountId,
        { debit: line.debitAgorot || null, credit: line.creditAgorot || null, foreign: line.foreignAgorot },
      ]),
    ),
  )
  const [state, setState] = useState<'kept' | 'typing' | 'failed'>('kept')
  const [control, setControl] = useState({
    customers: opening.customers.controlAgorot,
    suppliers: opening.suppliers.controlAgorot,
  })
  const { query, setQuery } = usePlace()
  const tab: Tab = tabs.find((one) => one === query.tab) ?? 'accounts'
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const lines = Object.entries(of).flatMap(([accountId, { debit, credit, foreign }]) =>
    debit || credit
      ? [{ accountId, debitAgorot: debit ?? 0, creditAgorot: credit ?? 0, foreignAgorot: foreign || null }]
      : [],
  )
  // Debts of customers and to suppliers are on the usual side of a trial balance; books by cash name no debts of
  // customers.
  const parties = { debitAgorot: 0, creditAgorot: 0 }
  for (const amount of [
    opening.countsWhenPaid ? 0 : opening.customers.itemsAgorot,
    -opening.suppliers.itemsAgorot,
  ])
    parties[amount > 0 ? 'debitAgorot' : 'creditAgorot'] += Math.abs(amount)
  // The VAT of items is part of what the old books had on its account; where they had nothing there, the
  // items bring it.
  const vatAccount = facts.accounts.find(({ number }) => number === '2100')
  if (!lines.some(({ accountId }) => accountId === vatAccount?.id)) parties.creditAgorot += opening.vatAgorot
  const total = (side: 'debitAgorot' | 'creditAgorot') =>
    lines.reduce((sum, line) => sum + line[side], parties[side])
  const items = opening.customers.items + opening.suppliers.items
  const difference = total('debitAgorot') - total('creditAgorot')
  // Customers and suppliers owe what their papers say, and the account of opening balances takes what is
  // left.
  const rows = facts.accounts.filter((account) => account.control === null && account.number !== '9000')
  const [search, setSearch] = useState('')
  const found = rows.filter(({ number, name }) => matches(`${number} ${name}`, search))
  const mayPost = may('journal.post') && lines.length + items > 0

  const latest = useLatest({ day, lines, control })
  const keep = async (): Promise<boolean> => {
    try {
      const now = latest.current
      await call(keepOpening, {
        date: now.day,
        lines: now.lines,
        customersAgorot: now.control.customers,
        suppliersAgorot: now.control.suppliers,
      })
      setState('kept')
      return true
    } catch (e) {
      setState('failed')
      banner.error(failureText(t, e))
      return false
    }
  }
  // What was typed is with the server a moment after the last key.
  useEffect(() => {
    if (state !== 'typing') return
    const timer = setTimeout(() => void keep(), 800)
    return () => clearTimeout(timer)
  })
  const put = (accountId: string, side: keyof Sides, value: number | null) => {
    const size = value === null ? null : Math.abs(value)
    setOf((before) => {
      const known = before[accountId] ?? { debit: null, credit: null }
      return {
        ...before,
        [accountId]:
          side === 'foreign'
            ? { ...known, foreign: size }
            : { ...known, debit: null, credit: null, [side]: size },
      }
    })
    setState('typing')
  }
  const [brought, setBrought] = useState<{ count: number; faults: ReadBalances['faults'] }>()
  /** Of the sheets of a workbook that one is taken in which most balances stand. */
  const bring = (tables: readonly (readonly SheetRow[])[]) => {
    const words = {
      number: t('accounts.fields.number'),
      debit: t('ledger.side.debit'),
      credit: t('ledger.side.credit'),
      balance: t('ledger.reports.trialBalance.columns.balanceAgorot'),
    }
    const read = tables.map((table) => {
      const { balances, faults } = readBalances(table, { facts, words })
      // The account of opening balances takes what is left.
      return { own: [...balances].filter(([id]) => rows.some((row) => row.id === id)), faults }
    })
    const { own, faults } = read.reduce((best, one) => (one.own.length > best.own.length ? one : best))
    setBrought({ count: own.length, faults })
    if (own.length === 0) return
    setOf((before) => ({
      ...before,
      ...Object.fromEntries(
        own.map(([id, amount]) => [
          id,
          { ...before[id], debit: amount > 0 ? amount : null, credit: amount < 0 ? -amount : null },
        ]),
      ),
    }))
    setState('typing')
  }
  useKeys({ 'mod+s': () => void keep() })
  useChiefKey(mayPost && !busy ? () => setAsks(true) : undefined)
  const post = async () => {
    setBusy(true)
    try {
      if (!(await keep())) return
      const made = await call(postOpening, { leaveDifference: difference !== 0 })
      await queryClient.invalidateQueries()
      banner.success(t('journal.opening.done'))
      go(`${batchesPath}/${made.batchId}`)
    } catch (e) {
      banner.error(failureText(t, e))
      await queryClient.invalidateQueries({ queryKey: keyOf(openingBalances) })
    } finally {
      setBusy(false)
    }
  }
  const cell = (side: keyof Sides) => (row: JournalFacts['accounts'][number]) => (
    <div className="jr-sum">
      <MoneyField
        label={`${t(side === 'foreign' ? 'journal.fields.foreignAgorot' : `ledger.side.${side}`)}: ${row.number} ${row.name}`}
        hideLabel
        {...(side === 'foreign' && row.held ? { currency: row.held } : {})}
        value={of[row.id]?.[side] ?? null}
        onChange={(value) => put(row.id, side, value)}
      />
    </div>
  )
  return (
    <>
      <PageHeader
        title={t('screens.openingBalances')}
        sub={<span role="status">{t(`journal.opening.${state}`)}</span>}
        actions={
          <>
            <Button kind="quiet" icon={Save} onPress={() => void keep()}>
              {t('journal.opening.keep')}
            </Button>
            {mayPost && (
              <Button kind="primary" icon={Lock} busy={busy} onPress={() => setAsks(true)}>
                {t('journal.opening.post')}
              </Button>
            )}
          </>
        }
      />
      <div className="jr-stack">
        <p className="hint">{t('journal.opening.text')}</p>
        <div className="jr-year">
          <DayField
            label={t('journal.opening.day')}
            value={day}
            onChange={(next) => {
              if (!next) return
              setDay(next)
              setState('typing')
            }}
          />
        </div>
        {!hides && (
          <Figures label={t('journal.sums')}>
            <Figure label={t('ledger.side.debit')} amount={total('debitAgorot')} exact size="s" />
            <Figure label={t('ledger.side.credit')} amount={total('creditAgorot')} exact size="s" />
            <Figure
              label={t('journal.difference')}
              amount={difference}
              exact
              size="s"
              {...(difference !== 0 ? { tone: 'late' as const } : {})}
              note={t(
                difference === 0
                  ? 'journal.balanced'
                  : difference > 0
                    ? 'journal.lacksCredit'
                    : 'journal.lacksDebit',
              )}
            />
          </Figures>
        )}
        <Views
          label={t('journal.opening.tab.label')}
          value={tab}
          onChange={(next) => setQuery({ tab: next === 'accounts' ? undefined : next })}
          controls="opening-part"
          views={tabs.map((key) => ({
            key,
            label: t(`journal.opening.tab.${key}`),
            ...(key === 'accounts' ? {} : { count: opening[key].items }),
          }))}
        />
        {tab === 'accounts' && opening.vatAgorot > 0 && vatAccount && !hides && (
          <Note tone="info">
            {t('journal.opening.vatBrought', {
              sum: formatMoney(opening.vatAgorot),
              account: `${vatAccount.number} ${vatAccount.name}`,
            })}
          </Note>
        )}
        {tab === 'accounts' && (
          <>
            <Sheet onTables={bring} {...(brought ? { brought } : {})} />
            <FilterBar search={search} onSearch={setSearch} placeholder={t('accounts.search')} />
          </>
        )}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- what is pasted into any of its fields */}
        <div
          onPaste={(event) => {
            const text = event.clipboardData.getData('text/plain')
            if (tab !== 'accounts' || !text.includes('\t')) return
            event.preventDefault()
            bring([pastedRows(text)])
          }}
          id="opening-part"
          role="tabpanel"
          aria-label={t(`journal.opening.tab.${tab}`)}
          className="jr-stack"
        >
          {tab !== 'accounts' ? (
            <Items
              key={tab}
              of={tab}
              opening={opening}
              hides={hides}
              control={control[tab]}
              onControl={(value) => {
                setControl((before) => ({ ...before, [tab]: value }))
                setState('typing')
              }}
            />
          ) : found.length === 0 ? (
            <p className="hint">{t('kit.combo.none', { text: search })}</p>
          ) : phone ? (
            <ul className="jr-cards" aria-label={t('screens.openingBalances')}>
              {found.map((row) => (
                <li key={row.id}>
                  <b>
                    <Num>{row.number}</Num> <bdi>{row.name}</bdi>
                  </b>
                  <span className="hint">{t('ledger.side.debit')}</span>
                  <span className="hint">{t('ledger.side.credit')}</span>
                  {cell('debit')(row)}
                  {cell('credit')(row)}
                  {row.held && (
                    <>
                      <span className="hint">{t('journal.fields.foreignAgorot')}</span>
                      {cell('foreign')(row)}
                    </>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <DataTable
              label={t('screens.openingBalances')}
              density="dense"
              main
              rows={found}
              rowKey={({ id }) => id}
              rowName={(row) => `${row.number} ${row.name}`}
              columns={[
                {
                  key: 'number',
                  title: t('accounts.fields.number'),
                  width: 'fit',
                  strong: true,
                  phone: 'line',
                  cell: (row) => <Num>{row.number}</Num>,
                },
                {
                  key: 'name',
                  title: t('accounts.fields.name'),
                  width: 'trim',
                  phone: 'title',
                  cell: (row) => <TextCell value={row.name} />,
                },
                {
                  key: 'kind',
                  title: t('accounts.fields.kind'),
                  width: 'fit',
                  cell: (row) => t(`accounts.kind.${row.kind}`),
                },
                {
                  key: 'debit',
                  title: t('ledger.side.debit'),
                  width: '10.5rem',
                  phone: 'line',
                  cell: cell('debit'),
                },
                {
                  key: 'credit',
                  title: t('ledger.side.credit'),
                  width: '10.5rem',
                  phone: 'state',
                  cell: cell('credit'),
                },
                ...(rows.some(({ held }) => held)
                  ? [
                      {
                        key: 'foreign',
                        title: t('journal.fields.foreignAgorot'),
                        width: '10.5rem',
                        cell: (row: JournalFacts['accounts'][number]) => row.held && cell('foreign')(row),
                      },
                    ]
                  : []),
              ]}
            />
          )}
          {tab === 'accounts' && <Note tone="info">{t('journal.opening.parties')}</Note>}
        </div>
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('journal.opening.postTitle')}
        verb={t('journal.opening.post')}
        onConfirm={post}
      >
        {t(difference === 0 ? 'journal.opening.postText' : 'journal.opening.postDifference')}
      </Question>
    </>
  )
}

/** The trial balance of the books before: a file, or cells that are pasted into the table. */
function Sheet({
  brought,
  onTables,
}: {
  brought?: { count: number; faults: ReadBalances['faults'] }
  onTables: (tables: SheetRow[][]) => void
}) {
  const t = useWords()
  const [isReading, setReading] = useState(false)
  const [refused, setRefused] = useState<string>()
  const read = async (file: File) => {
    setRefused(undefined)
    setReading(true)
    try {
      const { tables } = await call(readBalanceFile, { bytes: file })
      onTables(tables.map(({ rows }) => rows))
    } catch (e) {
      setRefused(failureText(t, e))
    } finally {
      setReading(false)
    }
  }
  return (
    <>
      <div className="jr-sheet">
        <TableFileButton
          kind="quiet"
          label={t('journal.opening.sheet.file')}
          workbooks
          busy={isReading}
          onFile={(file) => void read(file)}
        />
        <span className="hint">{t('journal.opening.sheet.how')}</span>
      </div>
      {refused && <Note tone="late">{refused}</Note>}
      {brought && !refused && (
        <Note tone={brought.faults.length > 0 || brought.count === 0 ? 'wait' : 'done'}>
          {t('journal.opening.sheet.read', { count: brought.count })}
          {brought.faults.length > 0 && (
            <ul className="jr-unread">
              {brought.faults.slice(0, 12).map(({ row, why, text }) => (
                <li key={row}>{t(`journal.opening.sheet.${why}`, { row: String(row), text })}</li>
              ))}
              {brought.faults.length > 12 && (
                <li>{t('journal.opening.sheet.more', { count: brought.faults.length - 12 })}</li>
              )}
            </ul>
          )}
        </Note>
      )}
    </>
  )
}

/** Of a business that reports VAT as it is paid, what of it the items bring. */
const vatColumns = { key: 'vat', columns: [...openingCustomers.list.columns, 'vatAgorot'] }

interface ItemsProps {
  of: 'customers' | 'suppliers'
  opening: OutputOf<typeof openingBalances>
  hides: boolean
  control: number | null
  onControl: (value: number | null) => void
}

/** The open items of one side, and what the books before say they come to. */
function Items({ of, opening, hides, control, onControl }: ItemsProps) {
  const t = useWords()
  const register = registers[of]
  const side = opening[of]
  // The totals above derive from these items: a change of the items loads them again.
  useEffect(() => {
    const { name } = callsOf(register).list
    return queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] === name && query.state.isInvalidated)
        void queryClient.invalidateQueries({ queryKey: keyOf(openingBalances) })
    })
  }, [register])
  const missing = control === null ? 0 : control - side.itemsAgorot
  return (
    <>
      {of === 'customers' && opening.countsWhenPaid && (
        <Note tone="info">{t('journal.opening.receipts')}</Note>
      )}
      {of === 'customers' && opening.vatWhenPaid && <Note tone="info">{t('journal.opening.vatWaits')}</Note>}
      {!hides && (
        <div className="jr-control">
          <MoneyField
            label={t(`journal.opening.control.${of}`)}
            hint={t('journal.opening.control.hint')}
            value={control}
            onChange={onControl}
          />
          <Figures label={t(`journal.opening.control.${of}`)}>
            <Figure
              label={t('journal.opening.control.sum')}
              amount={side.itemsAgorot}
              exact
              size="s"
              note={t('journal.opening.control.items', { count: side.items })}
            />
            {control !== null && (
              <Figure
                label={t(missing < 0 ? 'journal.opening.control.over' : 'journal.opening.control.missing')}
                amount={Math.abs(missing)}
                exact
                size="s"
                {...(missing === 0
                  ? { note: t('journal.opening.control.equal') }
                  : { tone: 'late' as const })}
              />
            )}
          </Figures>
        </div>
      )}
      {of === 'customers' && opening.vatWhenPaid ? (
        <ListScreen resource={register} embedded archive kind={vatColumns} />
      ) : (
        <ListScreen resource={register} embedded archive />
      )}
      <div>
        <Button kind="quiet" icon={FileUp} href={`/invoice/tools/import/${register.name}`}>
          {t('journal.opening.import')}
        </Button>
      </div>
    </>
  )
}
