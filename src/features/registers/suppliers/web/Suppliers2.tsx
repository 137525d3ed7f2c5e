import { Plus, SearchX, ShieldAlert, Truck } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { addDays, type Day } from '#domain/day.ts'
import { formatDay, formatPercent } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useRows } from '#kit/web/screens/useList.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { supplierFigures } from '../endpoints.ts'
import { suppliers, type Supplier } from '../suppliers.ts'
import { isRecentChange } from './BankChange.tsx'
import { WithholdingPill } from './dress.tsx'
import { supplierPath } from './paths.ts'
import './suppliers.css'

type Row = AnyRow & Supplier

const groups = ['overdue', 'week', 'later', 'owed', 'credit', 'settled'] as const
type Group = (typeof groups)[number]
const WEEK_DAYS = 7

/** Due first comes first; a debt of unknown day comes after those that have one. */
function groupOf(row: Row, today: Day): Group {
  if (row.dueDay)
    return row.dueDay < today ? 'overdue' : row.dueDay <= addDays(today, WEEK_DAYS) ? 'week' : 'later'
  const balance = row.balanceAgorot ?? 0
  return balance > 0 ? 'owed' : balance < 0 ? 'credit' : 'settled'
}

/** The suppliers as cards, money first: who is to be paid now, who next, who not yet. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { data: figures, isLoading: waitsForFigures } = useCall(supplierFigures, {}, { staleTime: 0 })
  const list = useRows(suppliers, q ? { q } : {}, 200)
  const rows = list.rows as Row[]
  const today = useToday()
  const grouped = useMemo(() => {
    const of = new Map<Group, Row[]>()
    for (const row of rows) {
      const group = groupOf(row, today)
      of.set(group, [...(of.get(group) ?? []), row])
    }
    for (const some of of.values())
      some.sort(
        (a, b) =>
          (a.dueDay ?? '').localeCompare(b.dueDay ?? '') ||
          (b.balanceAgorot ?? 0) - (a.balanceAgorot ?? 0) ||
          a.name.localeCompare(b.name),
      )
    return of
  }, [rows, today])
  const sees = rows.some((row) => typeof row.balanceAgorot === 'number')
  const sum = (some: readonly Row[], of: (row: Row) => number | null) =>
    some.reduce((total, row) => total + (of(row) ?? 0), 0)
  const make = may(suppliers.allow.change) && (
    <Button kind="primary" icon={Plus} href={suppliers.screens.form}>
      {t('suppliers.new')}
    </Button>
  )
  const isBare = rows.length === 0 && !q && !list.loading
  return (
    <Together waits={(list.loading || waitsForFigures) && !q}>
      <PageHeader title={t('screens.suppliers2')} actions={!isBare && make} />
      {list.failure ? (
        <Failed error={list.failure} onRetry={list.retry} />
      ) : isBare ? (
        <EmptyState icon={Truck} title={t('suppliers.empty.title')} actions={make}>
          {t('suppliers.empty.text')}
        </EmptyState>
      ) : (
        <div className="su-stack">
          {figures?.owedAgorot !== undefined && (
            <Figures label={t('suppliers.fields.balanceAgorot')}>
              <Figure label={t('suppliers.fields.balanceAgorot')} amount={figures.owedAgorot} />
              <Figure
                label={t('suppliers.fields.overdueAgorot')}
                amount={figures.overdueAgorot ?? 0}
                {...(figures.overdueAgorot ? { tone: 'late' as const } : {})}
              />
              <Figure
                label={t('suppliers.groups.week')}
                value={<Num>{figures.dueThisWeek}</Num>}
                unit={t('suppliers.unit')}
              />
            </Figures>
          )}
          <div className="su-find">
            <TextField
              label={t('suppliers.search')}
              hideLabel
              placeholder={t('suppliers.search')}
              value={typed}
              onChange={setTyped}
            />
          </div>
          {list.loading ? (
            <Skeleton lines={8} />
          ) : rows.length === 0 ? (
            <EmptyState
              icon={SearchX}
              title={t('kit.lists.noneFit')}
              actions={
                <Button kind="soft" onPress={() => setTyped('')}>
                  {t('kit.filters.clear')}
                </Button>
              }
            />
          ) : (
            groups.map((group) => {
              const some = grouped.get(group)
              const owed = some && sum(some, (row) => row.balanceAgorot)
              return some ? (
                <section key={group} className="su-group">
                  <h2>
                    <span>{t(`suppliers.groups.${group}`)}</span>
                    {/* A group that is not loaded completely shows no total. */}
                    {sees && !list.hasMore && owed !== 0 && <Money amount={owed!} />}
                  </h2>
                  <div className="su-cards">
                    {some.map((row) => (
                      <SupplierTile key={row.id} row={row} late={group === 'overdue'} />
                    ))}
                  </div>
                </section>
              ) : null
            })
          )}
          {list.hasMore && (
            <div className="flex justify-center">
              <Button busy={list.loadingMore} onPress={list.more}>
                {t('suppliers.more')}
              </Button>
            </div>
          )}
        </div>
      )}
    </Together>
  )
}

function SupplierTile({ row, late }: { row: Row; late: boolean }) {
  const t = useWords()
  const { lang } = useLanguage()
  return (
    <Link className="k-card su-card" href={supplierPath(row.id, 'details')}>
      <span className="top">
        <bdi>{row.name}</bdi>
        {Boolean(row.balanceAgorot) && (
          <span className={late ? 'sum late' : 'sum'}>
            <Money amount={row.balanceAgorot!} />
          </span>
        )}
      </span>
      <span className="foot">
        {row.dueDay && (
          <span className={late ? 'late' : undefined}>
            {t('suppliers.dueOn', { day: formatDay(row.dueDay) })}
          </span>
        )}
        {row.withholdingBp !== null && row.withholdingTo ? (
          <span>
            {t('suppliers.withheldTo', {
              rate: formatPercent(row.withholdingBp, lang),
              day: formatDay(row.withholdingTo),
            })}
          </span>
        ) : (
          <WithholdingPill state={row.withholdingState ?? 'none'} />
        )}
        {row.withholdingState === 'expiring' && <WithholdingPill state="expiring" />}
        {isRecentChange(row.bankChangedAt) && (
          <span className="flex items-center gap-1">
            <Icon of={ShieldAlert} size="s" />
            {t('suppliers.bank.short')}
          </span>
        )}
      </span>
    </Link>
  )
}
