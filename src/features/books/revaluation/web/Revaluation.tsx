import { Coins, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { addDays, startOfMonth } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Combo } from '#kit/web/fields/Combo.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { CurrencyField } from '#kit/web/fields/SmallChoices.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listRevaluations, postRevaluation, previewRevaluation, undoRevaluation } from '../endpoints.ts'
import './revaluation.css'

type Preview = OutputOf<typeof previewRevaluation>
type Party = Preview['parties'][number]
interface Bank {
  /** Left out of this revaluation. */
  isOut?: boolean
  currency: string | null
  foreignAgorot: number | null
}

const refresh = () =>
  Promise.all(
    [listRevaluations, previewRevaluation].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  )

/** What balances in foreign currency are worth at the rate of a day, and the entry that says so. */
export function Screen() {
  const t = useWords()
  const today = useToday()
  const may = useCan()('ledger.change')
  const [day, setDay] = useState<string | null>(() => addDays(startOfMonth(today), -1))
  const [banks, setBanks] = useState<Record<string, Bank>>({})
  const [busy, setBusy] = useState(false)
  const [known, setKnown] = useState<Preview['bankAccounts']>([])
  const [added, setAdded] = useState<string[]>([])
  const [without, setWithout] = useState<Party[]>([])
  // What the statements say of an account holds until somebody writes another sum.
  const told = known.flatMap((account) => {
    const { currency, foreignAgorot, isOut } = banks[account.id] ?? bankOf(account)
    return currency && foreignAgorot !== null && !isOut
      ? [{ accountId: account.id, currency, foreignAgorot }]
      : []
  })
  const { data, error, refetch } = useCall(
    previewRevaluation,
    { day: day ?? '', banks: told, cards: added, without },
    { enabled: day !== null, placeholderData: (old) => old },
  )
  if (data && known !== data.bankAccounts) setKnown(data.bankAccounts)
  const post = async () => {
    if (!day || busy) return
    setBusy(true)
    try {
      await call(postRevaluation, { day, banks: told, without })
      banner.success(t('revaluation.done'))
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="rv-stack">
      <PageHeader title={t('screens.revaluation')} sub={t('revaluation.sub')} />
      <div className="rv-ask">
        <DayField label={t('revaluation.day')} value={day} onChange={setDay} max={today} />
      </div>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <Banks accounts={data.bankAccounts} banks={banks} onBanks={setBanks}>
            {data.otherCards.length > 0 && (
              <AddCard cards={data.otherCards} onAdd={(id) => setAdded([...added, id])} />
            )}
          </Banks>
          {data.parties.length > 0 && (
            <Parties parties={data.parties} without={without} onWithout={setWithout} />
          )}
          {data.missingRates.length > 0 && (
            <Note
              tone="wait"
              action={
                <Button size="s" href="/invoice/exchangerates">
                  {t('screens.exchangeRates')}
                </Button>
              }
            >
              {t('revaluation.missing', { currencies: data.missingRates.join(', ') })}
            </Note>
          )}
          <Balances data={data} />
          {may && data.rows.some((row) => row.differenceAgorot) && data.missingRates.length === 0 && (
            <div>
              <Button kind="primary" busy={busy} onPress={() => void post()}>
                {t('revaluation.post')}
              </Button>
            </div>
          )}
        </>
      )}
      <Posted may={may} />
    </div>
  )
}

/**
 * What is known of an account before anybody writes: its currency, and how much of it the statements or the
 * postings say.
 */
const bankOf = ({ currency, foreignAgorot }: Preview['bankAccounts'][number]): Bank => ({
  currency: currency ?? 'USD',
  foreignAgorot,
})

/** How much of each currency is in the bank: by the statements, or as entered here. */
function Banks({
  accounts,
  banks,
  onBanks,
  children,
}: {
  accounts: Preview['bankAccounts']
  banks: Record<string, Bank>
  onBanks: (banks: Record<string, Bank>) => void
  children: ReactNode
}) {
  const t = useWords()
  return (
    <Card title={t('revaluation.banks')} hint={t('revaluation.banksHint')}>
      <div className="rv-stack">
        {accounts.map((account) => {
          const bank = banks[account.id] ?? bankOf(account)
          const put = (change: Partial<Bank>) => onBanks({ ...banks, [account.id]: { ...bank, ...change } })
          return (
            <div key={account.id} className="rv-bank" role="group" aria-label={account.name}>
              <div>
                <bdi>{account.name}</bdi>
                <div className="hint text-13">
                  {t('revaluation.columns.books')} <MoneyCell value={account.booksAgorot} zero="show" />
                </div>
              </div>
              <CurrencyField
                label={t('revaluation.columns.currency')}
                value={bank.currency}
                disabled={bank.isOut}
                onChange={(currency) => put({ currency })}
              />
              <MoneyField
                label={t(account.what === 'bank' ? 'revaluation.bankBalance' : 'revaluation.cardBalance')}
                disabled={bank.isOut}
                currency={bank.currency ?? 'USD'}
                value={bank.foreignAgorot}
                onChange={(foreignAgorot) => put({ foreignAgorot })}
              />
              <FlagField
                label={t('revaluation.takesPart')}
                value={!bank.isOut}
                onChange={(takesPart) => put({ isOut: !takesPart })}
              />
            </div>
          )
        })}
        {children}
      </div>
    </Card>
  )
}

/**
 * Customers and suppliers with open papers in foreign currency: each of the two takes part or is left out.
 */
function Parties({
  parties,
  without,
  onWithout,
}: {
  parties: readonly Party[]
  without: Party[]
  onWithout: (without: Party[]) => void
}) {
  const t = useWords()
  return (
    <Card title={t('revaluation.parties')} hint={t('revaluation.partiesHint')}>
      <div className="rv-parties">
        {parties.map((what) => (
          <FlagField
            key={what}
            label={t(`revaluation.takePart.${what}`)}
            value={!without.includes(what)}
            onChange={(takesPart) =>
              onWithout(takesPart ? without.filter((one) => one !== what) : [...without, what])
            }
          />
        ))}
      </div>
    </Card>
  )
}

/** A card the books know nothing of in foreign currency: a loan that was posted in shekels alone. */
function AddCard({ cards, onAdd }: { cards: Preview['otherCards']; onAdd: (id: string) => void }) {
  const t = useWords()
  const [query, setQuery] = useState('')
  const asked = query.trim().toLowerCase()
  const found = asked === '' ? cards : cards.filter(({ name }) => name.toLowerCase().includes(asked))
  return (
    <div className="rv-add">
      <Combo
        label={t('revaluation.addCard')}
        placeholder={t('revaluation.addCardHow')}
        value={null}
        options={found.slice(0, 40).map(({ id, name }) => ({ key: id, label: name }))}
        onQuery={setQuery}
        onChange={(picked) => picked && onAdd(picked.key)}
      />
    </div>
  )
}

function Balances({ data }: { data: Preview }) {
  const t = useWords()
  if (data.rows.length === 0)
    return (
      <EmptyState icon={Coins} title={t('revaluation.empty.title')}>
        {t('revaluation.empty.text')}
      </EmptyState>
    )
  return (
    <DataTable
      label={t('screens.revaluation')}
      main
      rows={data.rows}
      rowKey={(row) => `${row.what}${row.partyId ?? row.accountId}${row.currency}`}
      rowName={(row) => row.name}
      columns={[
        {
          key: 'name',
          title: t('revaluation.columns.name'),
          strong: true,
          width: 'trim',
          phone: 'title',
          cell: (row) => <bdi>{row.name}</bdi>,
        },
        {
          key: 'what',
          title: t('revaluation.columns.what'),
          width: 'fit',
          phone: 'line',
          cell: (row) => t(`revaluation.what.${row.what}`),
        },
        {
          key: 'currency',
          title: t('revaluation.columns.currency'),
          width: 'fit',
          cell: (row) => <Num>{row.currency}</Num>,
        },
        {
          key: 'foreign',
          title: t('revaluation.columns.foreign'),
          align: 'amount',
          cell: (row) => <MoneyCell value={row.foreignAgorot} zero="show" />,
        },
        {
          key: 'rate',
          title: t('revaluation.columns.rate'),
          align: 'amount',
          cell: (row) => (row.rate ? <Num>{row.rate}</Num> : <span className="late">–</span>),
        },
        {
          key: 'books',
          title: t('revaluation.columns.books'),
          align: 'amount',
          cell: (row) => <MoneyCell value={row.booksAgorot} zero="show" />,
        },
        {
          key: 'value',
          title: t('revaluation.columns.value'),
          align: 'amount',
          phone: 'line',
          cell: (row) => <MoneyCell value={row.valueAgorot} zero="show" />,
        },
        {
          key: 'difference',
          title: t('revaluation.columns.difference'),
          align: 'amount',
          phone: 'amount',
          cell: (row) => <MoneyCell value={row.differenceAgorot} />,
          foot: <MoneyCell value={data.totalAgorot} zero="show" />,
        },
      ]}
    />
  )
}

function Posted({ may }: { may: boolean }) {
  const t = useWords()
  const { data } = useCall(listRevaluations, {})
  const [undoing, setUndoing] = useState<string>()
  if (!data?.rows.length) return null
  const undo = async (id: string) => {
    try {
      await call(undoRevaluation, { id })
      await refresh()
      banner.success(t('revaluation.undone'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <Card title={t('revaluation.posted')} flush>
      <DataTable
        label={t('revaluation.posted')}
        rows={data.rows}
        rowKey={(row) => row.id}
        rowName={(row) => formatDay(row.day)}
        isOff={(row) => row.undone}
        {...(may
          ? {
              menu: (row: { id: string; undone: boolean }) =>
                row.undone
                  ? []
                  : [
                      {
                        key: 'undo',
                        label: t('revaluation.undo'),
                        icon: Undo2,
                        tone: 'danger' as const,
                        onPress: () => setUndoing(row.id),
                      },
                    ],
            }
          : {})}
        columns={[
          {
            key: 'day',
            title: t('revaluation.day'),
            strong: true,
            width: 'fit',
            phone: 'title',
            cell: (row) => <Num>{formatDay(row.day)}</Num>,
          },
          {
            key: 'by',
            title: t('revaluation.columns.by'),
            width: 'trim',
            phone: 'line',
            cell: (row) => row.by && <bdi>{row.by}</bdi>,
          },
          {
            key: 'total',
            title: t('revaluation.columns.difference'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.totalAgorot} zero="show" />,
          },
          {
            key: 'state',
            title: t('revaluation.columns.state'),
            width: 'fit',
            phone: 'state',
            cell: (row) => (row.undone ? <StatusPill>{t('revaluation.isUndone')}</StatusPill> : null),
          },
        ]}
      />
      <Question
        isOpen={undoing !== undefined}
        onClose={() => setUndoing(undefined)}
        title={t('revaluation.undoTitle')}
        verb={t('revaluation.undo')}
        danger
        onConfirm={() => undo(undoing!)}
      >
        {t('revaluation.undoText')}
      </Question>
    </Card>
  )
}
