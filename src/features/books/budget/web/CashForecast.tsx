import { CalendarClock, Download, EyeOff, FileSpreadsheet, FileText, Plus, Table2 } from 'lucide-react'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { forecastDays } from '#domain/forecast/cash.ts'
import type { Agorot } from '#domain/money.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { LineChart } from '#kit/web/parts/LineChart.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace, writeQuery } from '#kit/web/routes/place.ts'
import { exportReport } from '#kit/web/screens/reportCalls.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { cashForecast, type Forecast, type TypedSum } from '../endpoints.ts'
import { Series } from './Series.tsx'
import { Sums } from './Sums.tsx'
import './budget.css'

const DayDialog = lazy(() =>
  fetchPart(() => import('./DayDialog.tsx')).then((part) => ({ default: part.DayDialog })),
)
const SumDialog = lazy(() =>
  fetchPart(() => import('./SumDialog.tsx')).then((part) => ({ default: part.SumDialog })),
)

/** How many of the biggest debtors pay late, and by how many days, among which one chooses. */
const late = ['0', '1', '2', '3', '5'] as const
const delays = ['15', '30', '60', '90'] as const
const usualDelay = '30'

/** What there will be in bank and till for ninety days, what it is made of, and what if. */
export function Screen() {
  const t = useWords()
  const session = useSession()
  if (session?.HideTotalPrices)
    return (
      <>
        <PageHeader title={t('screens.cashForecast')} />
        <EmptyState icon={EyeOff} title={t('budget.hidden.title')}>
          {t('budget.hidden.text')}
        </EmptyState>
      </>
    )
  return <CashForecast />
}

function CashForecast() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const may = useCan()('forecast.change')
  const fetchFile = useFile()
  const biggest = late.find((one) => one === query.late) ?? '0'
  const delay = delays.find((one) => one === query.days) ?? usualDelay
  const noNewIncome = query.income === 'no'
  const floor = /^-?\d{1,12}$/.test(query.floor ?? '') ? Number(query.floor) : null
  const { data, error, refetch, isPlaceholderData } = useCall(
    cashForecast,
    {
      biggest: Number(biggest),
      laterDays: biggest === '0' ? 0 : Number(delay),
      noNewIncome,
      ...(floor === null ? {} : { floorAgorot: floor }),
    },
    { placeholderData: keepPreviousData },
  )
  const [editing, setEditing] = useState<TypedSum | 'new'>()
  const stress = {
    ...(biggest === '0' ? {} : { biggest, laterDays: delay }),
    ...(noNewIncome ? { noNewIncome: 'true' } : {}),
  }
  const file = (format: 'csv' | 'xlsx' | 'pdf') =>
    void fetchFile(exportReport, { file: `cashMovements.${format}`, ...stress }, { open: format === 'pdf' })
  const isEmpty = data !== undefined && data.movements.length === 0 && data.points[0]!.agorot === 0
  return (
    <div className="bu-stack">
      <PageHeader
        title={t('screens.cashForecast')}
        sub={t('forecast.sub', { count: forecastDays })}
        actions={
          <>
            <Menu
              label={t('kit.lists.export')}
              items={[
                { key: 'pdf', label: t('kit.reports.pdf'), icon: FileText, onPress: () => file('pdf') },
                {
                  key: 'xlsx',
                  label: t('kit.lists.xlsx'),
                  icon: FileSpreadsheet,
                  onPress: () => file('xlsx'),
                },
                { key: 'csv', label: t('kit.lists.csv'), icon: Download, onPress: () => file('csv') },
                {
                  key: 'report',
                  label: t('screens.cashMovements'),
                  icon: Table2,
                  href: `/invoice/reportcashforecast${writeQuery(stress)}`,
                },
              ]}
              trigger={
                <Button kind="quiet" icon={Download}>
                  {t('kit.lists.export')}
                </Button>
              }
            />
            {may && (
              <Button icon={Plus} onPress={() => setEditing('new')}>
                {t('forecast.sums.add')}
              </Button>
            )}
          </>
        }
      />
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={12} />
      ) : isEmpty && !('biggest' in stress) && !noNewIncome ? (
        <>
          <EmptyState
            icon={CalendarClock}
            title={t('forecast.empty.title')}
            actions={
              may && (
                <Button kind="primary" icon={Plus} onPress={() => setEditing('new')}>
                  {t('forecast.sums.add')}
                </Button>
              )
            }
          >
            {t('forecast.empty.text')}
          </EmptyState>
          <Sums may={may} onEdit={setEditing} />
        </>
      ) : (
        <>
          <Told data={data} floor={floor} />
          <div data-stale={isPlaceholderData ? '' : undefined} className="bu-stack">
            <Line data={data} floor={floor} onDay={(day) => setQuery({ day })} />
          </div>
          <section className="k-card bu-stress" aria-label={t('forecast.stress.title')}>
            <ChoiceField
              label={t('forecast.stress.biggest')}
              value={biggest}
              choices={late.map((value) => ({
                value,
                label: value === '0' ? t('forecast.stress.nobody') : value,
              }))}
              onChange={(value) => setQuery({ late: value === '0' || value === null ? undefined : value })}
            />
            {biggest !== '0' && (
              <ChoiceField
                label={t('forecast.stress.later')}
                value={delay}
                choices={delays.map((value) => ({ value, label: value }))}
                onChange={(value) =>
                  setQuery({ days: value === usualDelay || value === null ? undefined : value })
                }
              />
            )}
            <MoneyField
              label={t('forecast.stress.floor')}
              value={floor}
              onChange={(value) => setQuery({ floor: value === null ? undefined : String(value) })}
            />
            <FlagField
              as="switch"
              label={t('forecast.stress.noNewIncome')}
              value={noNewIncome}
              onChange={(on) => setQuery({ income: on ? 'no' : undefined })}
            />
            {biggest !== '0' && data.debtors.length > 0 && (
              <p className="hint text-13 names">
                {t('forecast.stress.who', {
                  names: data.debtors
                    .slice(0, Number(biggest))
                    .map(({ name }) => name)
                    .join(', '),
                })}
              </p>
            )}
          </section>
          <div data-stale={isPlaceholderData ? '' : undefined} className="bu-stack">
            {data.doubtfulAgorot > 0 && (
              <Note
                tone="wait"
                action={
                  <Button size="s" href="/invoice/reportowe?due=late">
                    {t('forecast.doubtful.open')}
                  </Button>
                }
              >
                {t('forecast.doubtful.text')} <Money amount={data.doubtfulAgorot} whole />
              </Note>
            )}
            <Days data={data} onDay={(day) => setQuery({ day })} />
            <Sums may={may} onEdit={setEditing} />
            <Series series={data.series} may={may} />
          </div>
          <Suspense>
            {query.day && (
              <DayDialog data={data} day={query.day} onClose={() => setQuery({ day: undefined })} />
            )}
          </Suspense>
        </>
      )}
      <Suspense>
        {editing && (
          <SumDialog {...(editing === 'new' ? {} : { sum: editing })} onClose={() => setEditing(undefined)} />
        )}
      </Suspense>
    </div>
  )
}

/** What the line says first. */
function Told({ data, floor }: { data: Forecast; floor: Agorot | null }) {
  const t = useWords()
  const { lowest, belowZero, belowFloor, points } = data
  const last = points.at(-1)!
  return (
    <Figures label={t('screens.cashForecast')}>
      <Figure label={t('forecast.now')} amount={points[0]!.agorot} note={t('forecast.nowNote')} />
      <Figure
        label={t('forecast.lowest')}
        amount={lowest.agorot}
        {...(lowest.agorot < 0 ? { tone: 'late' as const } : {})}
        note={lowest.day === data.today ? t('forecast.isToday') : <Num>{formatDay(lowest.day)}</Num>}
      />
      <Figure
        label={t('forecast.belowZero')}
        value={belowZero === null ? t('forecast.never') : <Num>{formatDay(belowZero)}</Num>}
        {...(belowZero === null ? {} : { tone: 'late' as const })}
      />
      {floor !== null && (
        <Figure
          label={t('forecast.belowFloor')}
          value={belowFloor === null ? t('forecast.never') : <Num>{formatDay(belowFloor)}</Num>}
          {...(belowFloor === null ? {} : { tone: 'late' as const })}
        />
      )}
      <Figure label={t('forecast.end')} amount={last.agorot} note={<Num>{formatDay(last.day)}</Num>} />
    </Figures>
  )
}

function Line({
  data,
  floor,
  onDay,
}: {
  data: Forecast
  floor: Agorot | null
  onDay: (day: string) => void
}) {
  const t = useWords()
  const { points, calm } = data
  return (
    <LineChart
      title={t('forecast.line')}
      hint={t('forecast.lineHint')}
      name={t('forecast.stressed')}
      along={t('forecast.columns.day')}
      points={points.map(({ day, agorot }, i) => ({
        name: formatDay(day),
        value: agorot,
        // A day every second week, and none so near the edge that it would be cut.
        ...(i % 14 === 6 && i < points.length - 3 ? { tick: formatDay(day).slice(0, 5) } : {}),
      }))}
      {...(calm ? { beside: { name: t('forecast.calm'), values: calm } } : {})}
      {...(floor === null ? {} : { floor: { name: t('forecast.stress.floor'), value: floor } })}
      marked={points.findIndex(({ day }) => day === data.lowest.day)}
      onOpen={(i) => onDay(points[i]!.day)}
    />
  )
}

/** The days on which something moves; each opens what. */
function Days({ data, onDay }: { data: Forecast; onDay: (day: string) => void }) {
  const t = useWords()
  const days = data.points.filter(({ inAgorot, outAgorot }) => inAgorot !== 0 || outAgorot !== 0)
  const many = new Map<string, number>()
  for (const { day } of data.movements) many.set(day, (many.get(day) ?? 0) + 1)
  if (days.length === 0) return <Note>{t('forecast.empty.title')}</Note>
  return (
    <DataTable
      label={t('forecast.days')}
      main
      density="compact"
      rows={days}
      rowKey={({ day }) => day}
      rowName={({ day }) => formatDay(day)}
      onOpen={({ day }) => onDay(day)}
      columns={[
        {
          key: 'day',
          title: t('forecast.columns.day'),
          strong: true,
          width: 'fit',
          phone: 'title',
          cell: ({ day }) => <Num>{formatDay(day)}</Num>,
        },
        {
          key: 'what',
          title: t('forecast.columns.what'),
          width: 'trim',
          phone: 'line',
          cell: ({ day }) => {
            const kinds = [
              ...new Set(
                data.movements
                  .filter((one) => one.day === day)
                  .map(({ kind }) => t(`forecast.kinds.${kind}`)),
              ),
            ]
            return (
              <span className="cut" title={kinds.join(', ')}>
                {kinds.slice(0, 2).join(', ')}
                {kinds.length > 2 && '…'}
              </span>
            )
          },
        },
        {
          key: 'many',
          title: t('forecast.columns.many'),
          align: 'amount',
          cell: ({ day }) => <Num>{many.get(day) ?? 0}</Num>,
        },
        {
          key: 'in',
          title: t('forecast.columns.in'),
          align: 'amount',
          cell: ({ inAgorot }) => <MoneyCell value={inAgorot} zero="blank" />,
        },
        {
          key: 'out',
          title: t('forecast.columns.out'),
          align: 'amount',
          cell: ({ outAgorot }) => <MoneyCell value={outAgorot} zero="blank" />,
        },
        {
          key: 'balance',
          title: t('forecast.columns.balance'),
          align: 'amount',
          phone: 'amount',
          cell: ({ agorot }) => <MoneyCell value={agorot} zero="show" late={agorot < 0} />,
        },
      ]}
    />
  )
}
