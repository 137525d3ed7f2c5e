import {
  ChevronLeft,
  ChevronRight,
  Copy,
  Download,
  EyeOff,
  FileSpreadsheet,
  FileText,
  Target,
} from 'lucide-react'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { yearOf } from '#domain/day.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { TableFileButton } from '#kit/web/parts/TableFileButton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { budgetOfYear, exportBudget, readBudgetFile, type ReadBudgetAnswer } from '../endpoints.ts'
import { Actual } from './Actual.tsx'
import { Grid } from './Grid.tsx'
import './budget.css'

const CopyDialog = lazy(() =>
  fetchPart(() => import('./CopyDialog.tsx')).then((part) => ({ default: part.CopyDialog })),
)
const ImportDialog = lazy(() =>
  fetchPart(() => import('./ImportDialog.tsx')).then((part) => ({ default: part.ImportDialog })),
)

const views = ['grid', 'actual'] as const

export const refreshBudget = () => queryClient.invalidateQueries({ queryKey: keyOf(budgetOfYear) })

/**
 * What a business means to earn and spend, by account and month; typed, copied, brought in from a file, and
 * held against what really was.
 */
export function Screen() {
  const t = useWords()
  const session = useSession()
  if (session?.HideTotalPrices)
    return (
      <>
        <PageHeader title={t('screens.budget')} />
        <EmptyState icon={EyeOff} title={t('budget.hidden.title')}>
          {t('budget.hidden.text')}
        </EmptyState>
      </>
    )
  return <Budget />
}

function Budget() {
  const t = useWords()
  const today = useToday()
  const { query, setQuery } = usePlace()
  const may = useCan()('budget.change')
  const fetchFile = useFile()
  const now = yearOf(today)
  const year = /^2[01]\d\d$/.test(query.year ?? '') ? Number(query.year) : now
  const view = views.find((one) => one === query.view) ?? 'grid'
  const { data, error, refetch, isPlaceholderData } = useCall(
    budgetOfYear,
    { year },
    { placeholderData: keepPreviousData },
  )
  const [copying, setCopying] = useState(false)
  const [reading, setReading] = useState(false)
  const [read, setRead] = useState<ReadBudgetAnswer>()
  const goYear = (to: number) => setQuery({ year: to === now ? undefined : String(to) })
  const take = async (file: File) => {
    setReading(true)
    try {
      setRead(await call(readBudgetFile, { year, bytes: file }))
    } catch (e) {
      banner.error(failureText(t, e))
    } finally {
      setReading(false)
    }
  }
  const isEmpty =
    data !== undefined && data.rows.every(({ budget }) => budget.every((agorot) => agorot === null))
  const copyButton = (kind: 'plain' | 'primary') => (
    <Button kind={kind} icon={Copy} onPress={() => setCopying(true)}>
      {t('budget.copy.verb')}
    </Button>
  )
  return (
    <div className="bu-stack">
      <PageHeader
        title={t('screens.budget')}
        sub={t('budget.sub')}
        actions={
          <>
            {may && (
              <TableFileButton
                kind="quiet"
                label={t('budget.import.verb')}
                workbooks
                busy={reading}
                onFile={(file) => void take(file)}
              />
            )}
            <Menu
              label={t('kit.lists.export')}
              items={[
                {
                  key: 'xlsx',
                  label: t('kit.lists.xlsx'),
                  icon: FileSpreadsheet,
                  onPress: () => void fetchFile(exportBudget, { file: 'budget.xlsx', year }),
                },
                {
                  key: 'csv',
                  label: t('kit.lists.csv'),
                  icon: Download,
                  onPress: () => void fetchFile(exportBudget, { file: 'budget.csv', year }),
                },
                {
                  key: 'report',
                  label: t('screens.budgetActual'),
                  icon: FileText,
                  href: `/invoice/reportbudget?from=${year}-01-01&to=${year}-12-31`,
                },
              ]}
              trigger={
                <Button kind="quiet" icon={Download}>
                  {t('kit.lists.export')}
                </Button>
              }
            />
            {may && !isEmpty && copyButton('plain')}
          </>
        }
      >
        <Views
          label={t('screens.budget')}
          value={view}
          onChange={(to) => setQuery({ view: to === 'grid' ? undefined : to })}
          views={views.map((key) => ({ key, label: t(`budget.views.${key}`) }))}
          end={
            <span className="bu-year" role="group" aria-label={t('budget.year')}>
              <Button
                kind="quiet"
                size="s"
                icon={ChevronRight}
                label={t('budget.yearBefore')}
                onPress={() => goYear(year - 1)}
                className="before"
              />
              <b>
                <Num>{year}</Num>
              </b>
              <Button
                kind="quiet"
                size="s"
                icon={ChevronLeft}
                label={t('budget.yearAfter')}
                onPress={() => goYear(year + 1)}
                className="after"
              />
            </span>
          }
        />
      </PageHeader>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={12} />
      ) : isEmpty && (view === 'actual' || query.all === undefined) ? (
        <EmptyState
          icon={Target}
          title={t('budget.empty.title', { year: String(year) })}
          actions={
            may && (
              <>
                {copyButton('primary')}
                <Button kind="soft" onPress={() => setQuery({ all: '1', view: undefined })}>
                  {t('budget.empty.type')}
                </Button>
              </>
            )
          }
        >
          {t('budget.empty.text')}
        </EmptyState>
      ) : (
        <div data-stale={isPlaceholderData ? '' : undefined}>
          {view === 'grid' ? (
            <Grid
              key={data.year}
              data={data}
              may={may}
              all={query.all === '1'}
              onAll={(all) => setQuery({ all: all ? '1' : undefined })}
            />
          ) : (
            <Actual data={data} />
          )}
        </div>
      )}
      <Suspense>
        {copying && (
          <CopyDialog year={year} hasBudget={!isEmpty} onClose={() => setCopying(false)} onDone={done} />
        )}
        {read && <ImportDialog year={year} read={read} onClose={() => setRead(undefined)} onDone={done} />}
      </Suspense>
    </div>
  )

  async function done(changed: number) {
    setCopying(false)
    setRead(undefined)
    await refreshBudget()
    toast(t('budget.changed', { count: changed }))
  }
}
