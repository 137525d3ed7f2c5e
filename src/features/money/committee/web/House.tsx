import {
  BellRing,
  Building2,
  CalendarPlus,
  Check,
  ExternalLink,
  HandCoins,
  Handshake,
  Landmark,
  Mail,
  Percent,
  Plus,
  ReceiptText,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { yearOf } from '#domain/day.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'

import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace, writeQuery } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { buildings, flats, people } from '../committee.ts'
import { grid, remindTenants, type Grid } from '../endpoints.ts'
import {
  ChargeDialog,
  ExpenseDialog,
  OpeningDialog,
  PageDialog,
  PayDialog,
  RateDialog,
  RemindersDialog,
  TenantPagesDialog,
  TransfersDialog,
} from './Dialogs.tsx'
import { DuesGrid } from './DuesGrid.tsx'
import { HandOverDialog, HandOvers } from './HandOvers.tsx'
import { lettersSaid, useHouse } from './house.ts'
import './committee.css'
import './dress.tsx'

const registers = { buildings, flats, people } as const

/** A house: flats by months with what is paid and owed, what was spent, and the registers behind it. */
export function Screen() {
  const t = useWords()
  const { query } = usePlace()
  const { house, houses, error } = useHouse()
  const part = query.part ?? ''
  if (part === 'buildings' || part === 'flats' || part === 'people')
    return (
      <>
        <PageHeader
          title={t('screens.vaadPayMonth')}
          crumbs={[{ label: t('screens.vaadPayMonth'), href: '/invoice/vaadpaymonth' }]}
        >
          <Views
            label={t('screens.vaadPayMonth')}
            value={part}
            onChange={(next) => go(`/invoice/vaadpaymonth?part=${next}`)}
            views={(['buildings', 'flats', 'people'] as const).map((key) => ({
              key,
              label: t(`committee.part.${key}`),
            }))}
          />
        </PageHeader>
        <ListScreen key={part} embedded resource={registers[part]} archive />
      </>
    )
  if (error && !houses) return <Failed text={failureText(t, error)} />
  if (!houses)
    return (
      <>
        <PageHeader title={t('screens.vaadPayMonth')} />
        <Skeleton lines={10} />
      </>
    )
  if (!house)
    return (
      <>
        <PageHeader title={t('screens.vaadPayMonth')} />
        <EmptyState
          icon={Building2}
          title={t('committee.noHouse')}
          actions={
            <Button kind="primary" icon={Plus} href="/invoice/vaadpaymonth?part=buildings">
              {t('committee.addHouse')}
            </Button>
          }
        >
          {t('committee.noHouseText')}
        </EmptyState>
      </>
    )
  return <House key={house.id} id={house.id} houses={houses} part={part} year={query.year} />
}

function Failed({ text }: { text: string }) {
  const t = useWords()
  return (
    <>
      <PageHeader title={t('screens.vaadPayMonth')} />
      <Note tone="late">{text}</Note>
    </>
  )
}

type Opened =
  | 'reminders'
  | 'pay'
  | 'transfers'
  | 'tenants'
  | 'rate'
  | 'charge'
  | 'page'
  | 'expense'
  | 'opening'
  | 'handOver'

function House({
  id,
  houses,
  part,
  year,
}: {
  id: string
  houses: { id: string; name: string }[]
  part: string
  year: string | undefined
}) {
  const t = useWords()
  const may = useCan()
  const { data, error } = useCall(grid, { id, ...(year ? { year: Number(year) } : {}) })
  const [opens, setOpens] = useState<Opened>()
  const [flat, setFlat] = useState<string>()
  if (!data) return error ? <Failed text={failureText(t, error)} /> : <Skeleton lines={12} />
  const change = may('committee.change')
  const decide = may('committee.decide')
  const close = () => {
    setOpens(undefined)
    setFlat(undefined)
  }
  const at = (more: Record<string, unknown>) =>
    `/invoice/vaadpaymonth${writeQuery({ ...(houses.length > 1 ? { house: id } : {}), ...(year ? { year } : {}), ...more })}`
  const remind = async () => {
    try {
      banner.success(lettersSaid(t, await call(remindTenants, { id })))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const { building, figures } = data
  const now = part === 'spent' || part === 'report' || part === 'handOvers' ? part : 'dues'
  return (
    <>
      <PageHeader
        title={`${t('committee.title')} · ${building.name}`}
        sub={
          <>
            {t('committee.flatsCount', { count: data.rows.length })}
            {building.rate && (
              <>
                {' '}
                · <Num>{formatMoney(building.rate.agorot)}</Num> {t('committee.aMonth')}
              </>
            )}
            {building.treasurer && ` · ${t('committee.treasurerIs', { name: building.treasurer })}`}
            {building.reminders &&
              ` · ${t('committee.reminders.next', { day: formatDay(building.reminders.nextOn) })}`}
          </>
        }
        actions={
          change && (
            <>
              {figures.owing > 0 && (
                <Button icon={Mail} onPress={() => void remind()}>
                  {t('committee.remind.verb', { count: figures.owing })}
                </Button>
              )}
              <Button kind="primary" icon={Check} onPress={() => setOpens('pay')}>
                {t('committee.pay.title')}
              </Button>
            </>
          )
        }
        more={[
          ...(building.pageUrl
            ? [
                {
                  key: 'open',
                  label: t('committee.page.open'),
                  icon: ExternalLink,
                  onPress: () => void window.open(building.pageUrl!, '_blank', 'noopener,noreferrer'),
                },
              ]
            : []),
          ...(decide
            ? [
                {
                  key: 'page',
                  label: t('committee.page.title'),
                  icon: ExternalLink,
                  onPress: () => setOpens('page'),
                },
              ]
            : []),
          ...(change && data.rows.some((row) => row.payers.length)
            ? [
                {
                  key: 'tenants',
                  label: t('committee.tenant.title'),
                  icon: ExternalLink,
                  onPress: () => setOpens('tenants'),
                },
              ]
            : []),
          ...(decide
            ? [
                {
                  key: 'rate',
                  label: t('committee.rate.title'),
                  icon: Percent,
                  onPress: () => setOpens('rate'),
                },
              ]
            : []),
          ...(change
            ? [
                {
                  key: 'transfers',
                  label: t('committee.transfers.title'),
                  icon: Landmark,
                  onPress: () => setOpens('transfers'),
                },
                {
                  key: 'reminders',
                  label: t('committee.reminders.title'),
                  icon: BellRing,
                  onPress: () => setOpens('reminders'),
                },
                {
                  key: 'charge',
                  label: t('committee.charge.title'),
                  icon: CalendarPlus,
                  onPress: () => setOpens('charge'),
                },
                {
                  key: 'expense',
                  label: t('committee.expense.title'),
                  icon: ReceiptText,
                  onPress: () => setOpens('expense'),
                },
                {
                  key: 'opening',
                  label: t('committee.opening.title'),
                  icon: HandCoins,
                  onPress: () => setOpens('opening'),
                },
              ]
            : []),
          ...(decide
            ? [
                {
                  key: 'handOver',
                  label: t('committee.handOver.title'),
                  icon: Handshake,
                  onPress: () => setOpens('handOver'),
                },
              ]
            : []),
          {
            key: 'registers',
            label: t('committee.registers'),
            icon: Building2,
            onPress: () => go('/invoice/vaadpaymonth?part=flats'),
          },
          ...houses
            .filter((one) => one.id !== id)
            .map((one) => ({
              key: one.id,
              label: one.name,
              icon: Building2,
              onPress: () => go(`/invoice/vaadpaymonth?house=${one.id}`),
            })),
        ]}
      >
        <Views
          label={t('screens.vaadPayMonth')}
          value={now}
          onChange={(next) => go(at({ part: next === 'dues' ? undefined : next }))}
          views={[
            { key: 'dues', label: t('committee.part.dues', { year: data.year }) },
            { key: 'spent', label: t('committee.part.spent') },
            { key: 'report', label: t('committee.part.report') },
            { key: 'handOvers', label: t('committee.part.handOvers') },
          ]}
        />
      </PageHeader>
      {now === 'report' ? (
        <ReportScreen name="committeeYear" bare main fixed={{ building: id }} />
      ) : now === 'handOvers' ? (
        <HandOvers houseId={id} onHandOver={decide ? () => setOpens('handOver') : undefined} />
      ) : (
        <div className="vd-stack">
          <Figures label={t('committee.figures')}>
            <Figure
              label={t('committee.collected')}
              amount={figures.collectedAgorot}
              note={
                figures.expectedAgorot
                  ? t('committee.ofExpected', { sum: formatMoney(figures.expectedAgorot) })
                  : undefined
              }
            />
            <Figure label={t('committee.spentYear')} amount={figures.spentAgorot} />
            <Figure
              label={t('committee.balance')}
              amount={figures.balanceAgorot}
              note={
                figures.reserveAgorot
                  ? t('committee.ofReserve', { sum: formatMoney(figures.reserveAgorot) })
                  : undefined
              }
            />
            <Figure
              label={t('committee.debts')}
              amount={figures.debtAgorot}
              note={t('committee.flatsOwe', { count: figures.owing })}
              {...(figures.debtAgorot ? { tone: 'late' as const } : {})}
            />
          </Figures>
          {now === 'spent' ? (
            <Spent
              of={data}
              onAdd={change && may('expenses.enter') ? () => setOpens('expense') : undefined}
            />
          ) : (
            <DuesGrid
              of={data}
              onPay={
                change
                  ? (flatId) => {
                      setFlat(flatId)
                      setOpens('pay')
                    }
                  : undefined
              }
            />
          )}
          <Years
            first={data.firstYear}
            now={data.year}
            onChoose={(next) => go(at({ year: next, part: now === 'dues' ? undefined : now }))}
          />
        </div>
      )}
      {opens === 'pay' && <PayDialog of={data} flatId={flat} onClose={close} />}
      {opens === 'reminders' && <RemindersDialog of={data} onClose={close} />}
      {opens === 'rate' && <RateDialog of={data} onClose={close} />}
      {opens === 'charge' && <ChargeDialog of={data} onClose={close} />}
      {opens === 'transfers' && <TransfersDialog of={data} onClose={close} />}
      {opens === 'tenants' && <TenantPagesDialog of={data} onClose={close} />}
      {opens === 'page' && <PageDialog of={data} onClose={close} />}
      {opens === 'expense' && <ExpenseDialog of={data} onClose={close} />}
      {opens === 'opening' && <OpeningDialog of={data} onClose={close} />}
      {opens === 'handOver' && (
        <HandOverDialog
          of={data}
          houses={houses.length}
          onClose={close}
          onDone={() => {
            close()
            go(at({ part: 'handOvers' }))
          }}
        />
      )}
    </>
  )
}

/** From the year the house came here to the next. */
function Years({ first, now, onChoose }: { first: number; now: number; onChoose: (year: number) => void }) {
  const t = useWords()
  const until = Math.max(now, yearOf(useToday())) + 1
  const years = Array.from(
    { length: Math.min(until - first + 1, 12) },
    (_, i) => until - Math.min(until - first + 1, 12) + 1 + i,
  )
  return (
    <Views
      chips
      label={t('committee.years')}
      value={String(now)}
      onChange={(next) => onChoose(Number(next))}
      views={years.map((year) => ({ key: String(year), label: String(year) }))}
    />
  )
}

function Spent({ of, onAdd }: { of: Grid; onAdd: (() => void) | undefined }) {
  const t = useWords()
  return (
    <Card
      title={t('committee.part.spent')}
      flush
      end={
        onAdd && (
          <Button size="s" icon={Plus} onPress={onAdd}>
            {t('committee.expense.title')}
          </Button>
        )
      }
    >
      {of.spent.length === 0 ? (
        <EmptyState icon={ReceiptText} title={t('committee.expense.none')}>
          {t('committee.expense.noneText')}
        </EmptyState>
      ) : (
        <ul className="vd-list">
          {of.spent.map((one) => (
            <li key={one.expenseId}>
              <span className="what">
                <Link className="link aim" href={`/invoice/expensesspage/${one.expenseId}`}>
                  <bdi>{one.said || one.type || one.supplier}</bdi>
                </Link>
                <span className="hint text-12">
                  <Num>{formatDay(one.day)}</Num> · <bdi>{one.supplier}</bdi>
                  {one.levy && (
                    <>
                      {' '}
                      · <bdi>{one.levy}</bdi>
                    </>
                  )}
                  {one.files === 0 && ` · ${t('committee.expense.noPaper')}`}
                </span>
              </span>
              <MoneyCell value={one.agorot} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
