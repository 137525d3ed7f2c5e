import { Code, ExternalLink, FileText, Link2, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { addMonths } from '#domain/day.ts'
import { call, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TagsField } from '#kit/web/fields/TagsField.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
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
import { useAction } from '#kit/web/parts/useAction.ts'
import { Views } from '#kit/web/parts/Views.tsx'
import { CopyCard } from '#kit/web/public/CopyCard.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { Letters } from '#features/calendar/bookings/web/index.tsx'
import { classKinds, classTrainers } from '#features/calendar/timetable/timetable.ts'
import { monthName } from '#features/calendar/timetable/web/index.tsx'
import { passKinds } from '#features/calendar/passes/passes.ts'
import { PassList } from '#features/calendar/passes/web/index.tsx'
import { listSheets, makeSheet } from '#features/calendar/trainers/endpoints.ts'
import { bookingSettings, renewBookingKey, setBookingSettings, type BookingSettings } from '../endpoints.ts'
import '#features/calendar/timetable/web/timetable.css'

const parts = ['kinds', 'trainers', 'passKinds', 'passes', 'page', 'letters', 'pay'] as const

/**
 * What is given and by whom, what passes are sold, the page on which customers book, and what trainers are to
 * be paid.
 */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const open = parts.filter((one) =>
    one === 'passes' ? may('passes.see') : one === 'pay' ? may('calendar.pay') : true,
  )
  const part =
    open.find((one) => one === (query.part === 'passes' && !query.sold ? 'passKinds' : query.part)) ??
    (query.sold ? 'passes' : 'kinds')
  return (
    <>
      <PageHeader title={t('screens.classKinds')}>
        <Views
          label={t('screens.classKinds')}
          value={part}
          onChange={(next) =>
            setQuery({
              part: next === 'kinds' ? undefined : next === 'passes' ? 'passes' : next,
              sold: next === 'passes' ? '1' : undefined,
            })
          }
          views={open.map((key) => ({ key, label: t(`bookingPage.part.${key}`) }))}
        />
      </PageHeader>
      {part === 'kinds' && <ListScreen key={part} embedded resource={classKinds} archive />}
      {part === 'trainers' && <ListScreen key={part} embedded resource={classTrainers} archive />}
      {part === 'passKinds' && <ListScreen key={part} embedded resource={passKinds} archive />}
      {part === 'passes' && <PassList />}
      {part === 'page' && <PageSettings />}
      {part === 'letters' && <Letters />}
      {part === 'pay' && <Pay />}
    </>
  )
}

function PageSettings() {
  const { data, error, refetch } = useCall(bookingSettings, {})
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  return data ? <SettingsForm key={data.url} of={data} /> : <Skeleton lines={6} />
}

function SettingsForm({ of }: { of: BookingSettings }) {
  const t = useWords()
  const may = useCan()('calendar.setUp')
  const [isOn, setOn] = useState(of.isOn)
  const [welcome, setWelcome] = useState(of.welcome)
  const [sites, setSites] = useState<string[]>(of.sites)
  const [newPeople, setNew] = useState(of.newPeople)
  const [payFirst, setPayFirst] = useState(of.payFirst)
  const [hours, setHours] = useState<number | null>(of.remindHours)
  const [asks, setAsks] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: [bookingSettings.name] })
  const { busy, rest, error, run, place } = useAction(
    ['welcome', 'sites', 'remindHours'],
    async () => {
      await call(setBookingSettings, { isOn, welcome, sites, newPeople, payFirst, remindHours: hours ?? 0 })
      await refresh()
      banner.success(t('bookingPage.saved'))
    },
    { stays: true },
  )
  return (
    <form ref={place} onSubmit={run} noValidate className="tt-stack" style={{ maxInlineSize: '44rem' }}>
      {rest && <Note tone="late">{rest}</Note>}
      <Card title={t('bookingPage.settings')}>
        <div className="tt-stack">
          <FlagField
            as="switch"
            label={t('bookingPage.isOn')}
            hint={t('bookingPage.isOnHint')}
            value={isOn}
            onChange={setOn}
            disabled={!may}
          />
          <FlagField label={t('bookingPage.newPeople')} value={newPeople} onChange={setNew} disabled={!may} />
          <FlagField
            label={t('bookingPage.payFirst')}
            hint={t('bookingPage.payFirstHint')}
            value={payFirst}
            onChange={setPayFirst}
            disabled={!may}
          />
          <LongText
            label={t('bookingPage.welcome')}
            optional
            value={welcome}
            onChange={setWelcome}
            max={1000}
            rows={3}
            disabled={!may}
            {...error('welcome', welcome)}
          />
          <WholeField
            label={t('bookingPage.remindHours')}
            hint={t('bookingPage.remindHint')}
            value={hours}
            onChange={setHours}
            {...error('remindHours', hours)}
          />
          <TagsField
            label={t('bookingPage.sites')}
            optional
            hint={t('bookingPage.sitesHint')}
            value={sites}
            max={120}
            onChange={(next) => setSites([...next])}
            {...error('sites', sites)}
          />
          {may && (
            <div>
              <Button kind="primary" type="submit" busy={busy}>
                {t('kit.forms.save')}
              </Button>
            </div>
          )}
        </div>
      </Card>
      {of.isOn && (
        <>
          <CopyCard icon={Link2} title={t('bookingPage.link')} text={of.url} />
          {of.sites.length > 0 && <CopyCard icon={Code} title={t('bookingPage.snippet')} text={of.snippet} />}
          <div className="tt-days">
            <Button icon={ExternalLink} href={of.url}>
              {t('bookingPage.look')}
            </Button>
            {may && (
              <Button kind="quiet" icon={RefreshCw} onPress={() => setAsks(true)}>
                {t('bookingPage.renew')}
              </Button>
            )}
          </div>
        </>
      )}
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('bookingPage.renewAsk')}
        verb={t('bookingPage.renew')}
        danger
        onConfirm={() => {
          setAsks(false)
          void call(renewBookingKey, {})
            .then(refresh)
            .catch((e: unknown) => banner.error(failureText(t, e)))
        }}
      >
        {t('bookingPage.renewText')}
      </Question>
    </form>
  )
}

/** What every trainer is to be paid for a month; a month that is over becomes the trainer's bill. */
function Pay() {
  const t = useWords()
  const today = useToday()
  const { lang } = useLanguage()
  const { query, setQuery } = usePlace()
  const month = /^\d{4}-\d{2}$/.test(query.month ?? '') ? query.month! : today.slice(0, 7)
  const { data, error, refetch, isLoading } = useCall(
    listSheets,
    { month },
    { placeholderData: (old) => old },
  )
  const make = (trainerId: string) =>
    void call(makeSheet, { trainerId, month })
      .then(async ({ expenseId }) => {
        await queryClient.invalidateQueries({ queryKey: [listSheets.name] })
        go(`/invoice/Expenses/all/${expenseId}`)
      })
      .catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <div className="tt-stack">
      <div className="tt-bar">
        <Button size="s" onPress={() => setQuery({ month: addMonths(`${month}-01`, -1).slice(0, 7) })}>
          {t('timetable.before')}
        </Button>
        <Button size="s" onPress={() => setQuery({ month: addMonths(`${month}-01`, 1).slice(0, 7) })}>
          {t('timetable.after')}
        </Button>
        <span className="tt-range">{monthName(lang, `${month}-01`)}</span>
      </div>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : (
        <DataTable
          label={t('bookingPage.part.pay')}
          rows={data?.rows ?? []}
          rowKey={(row) => row.trainerId}
          rowName={(row) => row.trainerName}
          rowHref={(row) => `/classtreiner/calenderhistory?trainer=${row.trainerId}&month=${month}`}
          onOpen={(row) => go(`/classtreiner/calenderhistory?trainer=${row.trainerId}&month=${month}`)}
          loading={isLoading}
          empty={
            <EmptyState icon={FileText} title={t('bookingPage.payEmpty')}>
              {t('bookingPage.payEmptyText')}
            </EmptyState>
          }
          columns={[
            {
              key: 'name',
              title: t('timetable.fields.trainer'),
              strong: true,
              phone: 'title',
              cell: (row) => <bdi>{row.trainerName}</bdi>,
            },
            {
              key: 'by',
              title: t('classTrainers.fields.payBy'),
              phone: 'line',
              cell: (row) => t(`classTrainers.payBy.${row.payBy}`),
            },
            {
              key: 'classes',
              title: t('bookings.reports.attendance.columns.classes'),
              align: 'amount',
              cell: (row) => <Num>{row.classes}</Num>,
            },
            {
              key: 'came',
              title: t('bookings.cameCount'),
              align: 'amount',
              cell: (row) => <Num>{row.came}</Num>,
            },
            {
              key: 'sum',
              title: t('trainers.pay'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <MoneyCell value={row.payAgorot} />,
            },
            {
              key: 'deed',
              title: t('trainers.bill'),
              width: 'fit',
              cell: (row) =>
                row.sheet ? (
                  <Button size="s" kind="quiet" href={`/invoice/Expenses/all/${row.sheet.expenseId}`}>
                    {t('trainers.openBill')}
                  </Button>
                ) : (
                  <Button size="s" onPress={() => make(row.trainerId)} isDisabled={!row.payAgorot}>
                    {t('trainers.makeBill')}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </div>
  )
}
