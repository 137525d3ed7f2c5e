import type { ReactNode } from 'react'
import { monthOf, yearOf } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { OtherEntry } from '../endpoints.ts'
import './filings.css'

/** Until so far into a year people work on the returns of the one before. */
const FILING_MONTHS = 6

/** The tax year of the address; without one, the year whose returns are due. */
export function useYear(): { year: number; choice: ReactNode } {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const today = useToday()
  const now = yearOf(today)
  const year = /^20\d\d$/.test(query.year ?? '')
    ? Number(query.year)
    : monthOf(today) <= FILING_MONTHS
      ? now - 1
      : now
  const years = [...new Set([...Array.from({ length: 8 }, (_, i) => now - i), year])].toSorted(
    (a, b) => b - a,
  )
  return {
    year,
    choice: (
      <div className="fi-year">
        <ChoiceField
          as="list"
          label={t('filings.year')}
          value={String(year)}
          onChange={(next) => next && setQuery({ year: next })}
          choices={years.map((one) => ({ value: String(one), label: String(one) }))}
        />
      </div>
    ),
  }
}

/** Shown in place of a missing answer. */
export function Missing({ error, retry }: { error: unknown; retry: () => void }) {
  if (!error) return <Skeleton lines={8} />
  return <Failed error={error} onRetry={retry} />
}

/**
 * Papers and books say the same, or by how much and in how many lines they part: two mistakes may agree in
 * the sum.
 */
export function BothWays({
  papersAgorot,
  booksAgorot,
  lines,
  list,
}: {
  papersAgorot: number
  booksAgorot: number
  lines: number
  /** Where they are shown one by one. */
  list: string
}) {
  const t = useWords()
  if (papersAgorot === booksAgorot && lines === 0) return <Note tone="done">{t('filings.bothWays')}</Note>
  if (lines === 0)
    return (
      <Note tone="wait">
        {t('filings.differs')} <MoneyCell value={booksAgorot - papersAgorot} />
      </Note>
    )
  return (
    <Note
      tone="late"
      action={
        <Button size="s" href={list}>
          {t('kit.reports.explained')}
        </Button>
      }
    >
      {t('errors.filings.differ', { count: lines })}
    </Note>
  )
}

/** Entries on the account without a document. */
export function Others({ title, hint, rows }: { title: string; hint: string; rows: readonly OtherEntry[] }) {
  const t = useWords()
  if (rows.length === 0) return null
  return (
    <Card title={title} hint={hint} flush>
      <DataTable
        label={title}
        rows={rows}
        rowKey={(row) => row.entryId}
        rowName={(row) => row.reference || formatDay(row.day)}
        density="dense"
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
            title: t('filings.columns.entry'),
            strong: true,
            width: 'fit',
            phone: 'title',
            cell: (row) => t(`ledger.kinds.${row.kind}`),
          },
          {
            key: 'details',
            title: t('filings.columns.details'),
            width: 'trim',
            cell: (row) => <bdi>{[row.reference, row.details].filter(Boolean).join(' · ')}</bdi>,
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
