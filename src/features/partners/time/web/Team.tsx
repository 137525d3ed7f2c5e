import { Check, FileDown, FilePlus2, LockOpen, Settings, UserPlus, X } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem, endOfMonth } from '#domain/day.ts'
import { clockText } from '#domain/hours/hours.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, callFile, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { MonthSteps } from '#kit/web/parts/MonthSteps.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { AskDialog, Asked } from '#features/sales/signing/web/index.tsx'
import {
  approveSheet,
  askNotice,
  chargeHours,
  decideRequest,
  hoursBy,
  hoursReport,
  inviteClocker,
  keepTerms,
  keepTimeSettings,
  monthSheet,
  payrollFile,
  teamMonth,
} from '../endpoints.ts'
import { SheetBody } from './Main.tsx'
import { timeOf } from './shared.tsx'
import './time.css'

type Team = OutputOf<typeof teamMonth>
type Person = Team['rows'][number]
const refresh = () =>
  Promise.all(
    [teamMonth, monthSheet, hoursReport].map((one) =>
      queryClient.invalidateQueries({ queryKey: keyOf(one) }),
    ),
  )
const views = ['people', 'requests', 'report'] as const

/** The team's hours: who works now, what waits for a decision, sheets to sign, hours to charge and to pay. */
export function Screen() {
  const t = useWords()
  const today = useToday()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const asked = /^\d{4}-\d{2}$/.test(query.month ?? '') ? { month: query.month } : {}
  const { data: fresh, error, refetch } = useCall(teamMonth, asked, { refetchInterval: 60_000 })
  const data = useLast(fresh)
  const view = views.find((one) => one === query.view) ?? 'people'
  const [dialog, setDialog] = useState<
    'invite' | 'charge' | 'settings' | { sheet: Person } | { terms: Person }
  >()
  const tell = (e: unknown) => banner.error(failureText(t, e))
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  const month = data?.month ?? asked.month ?? today.slice(0, 7)
  return (
    <>
      <PageHeader
        title={t('screens.timeTeam')}
        sub={t('time.teamSub')}
        actions={
          <>
            {may('time.pay') && (
              <Button icon={FileDown} onPress={() => void callFile(payrollFile, { month }).catch(tell)}>
                {t('time.payroll')}
              </Button>
            )}
            {may('time.charge') && may('documents.draft') && (
              <Button kind="primary" icon={FilePlus2} onPress={() => setDialog('charge')}>
                {t('time.charge')}
              </Button>
            )}
          </>
        }
        more={
          may('time.settings')
            ? [
                {
                  key: 'invite',
                  label: t('time.invite'),
                  icon: UserPlus,
                  onPress: () => setDialog('invite'),
                },
                {
                  key: 'settings',
                  label: t('time.settings'),
                  icon: Settings,
                  onPress: () => setDialog('settings'),
                },
              ]
            : []
        }
      >
        <Views
          label={t('screens.timeTeam')}
          value={view}
          onChange={(next) => setQuery({ view: next === 'people' ? undefined : next })}
          views={views.map((key) => ({
            key,
            label: t(`time.view.${key}`),
            ...(key === 'requests' && data ? { count: data.requests.length } : {}),
          }))}
        />
      </PageHeader>
      <div className="ti-tools">
        <MonthSteps value={month} onChange={(next) => setQuery({ month: next })} />
      </div>
      {!data ? (
        <Skeleton lines={8} />
      ) : view === 'people' ? (
        <People
          data={data}
          onSheet={(sheet) => setDialog({ sheet })}
          onTerms={(terms) => setDialog({ terms })}
        />
      ) : view === 'requests' ? (
        <Requests rows={data.requests} />
      ) : (
        <Report month={month} />
      )}
      {dialog === 'invite' && <InviteDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'charge' && <ChargeDialog month={month} onClose={() => setDialog(undefined)} />}
      {dialog === 'settings' && data && (
        <SettingsDialog asksPlace={data.asksPlace} onClose={() => setDialog(undefined)} />
      )}
      {typeof dialog === 'object' && 'sheet' in dialog && (
        <SheetDialog of={dialog.sheet} month={month} onClose={() => setDialog(undefined)} />
      )}
      {typeof dialog === 'object' && 'terms' in dialog && (
        <TermsDialog of={dialog.terms} month={month} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

function People({
  data,
  onSheet,
  onTerms,
}: {
  data: Team
  onSheet: (of: Person) => void
  onTerms: (of: Person) => void
}) {
  const t = useWords()
  const may = useCan()
  const rate = (key: string): Column<Person> => ({
    key: `r${key}`,
    title: key === '100' ? t('time.ordinary') : `${key}%`,
    align: 'amount',
    width: 'fit',
    cell: ({ byRate }) => (byRate[key] ? <Num>{clockText(byRate[key])}</Num> : '–'),
  })
  const columns: Column<Person>[] = [
    {
      key: 'name',
      title: t('time.worker'),
      strong: true,
      width: 'trim',
      phone: 'title',
      cell: ({ person }) => <bdi className="cut">{person}</bdi>,
    },
    {
      key: 'now',
      title: t('time.nowAt'),
      width: 'fit',
      phone: 'line',
      cell: ({ since }) =>
        since ? (
          <StatusPill tone="info">
            {t('time.since')} <Num>{timeOf(since)}</Num>
          </StatusPill>
        ) : (
          '–'
        ),
    },
    {
      key: 'all',
      title: t('time.all'),
      align: 'amount',
      width: 'fit',
      phone: 'amount',
      cell: ({ minutes }) => <Num>{clockText(minutes)}</Num>,
    },
    ...['100', '125', '150', '175', '200']
      .filter((key) => key === '100' || data.rows.some(({ byRate }) => byRate[key]))
      .map(rate),
    {
      key: 'absent',
      title: t('time.absentDays'),
      align: 'amount',
      width: 'fit',
      cell: ({ absentDays }) => <Num>{absentDays}</Num>,
    },
    ...(data.rows.some(({ wageAgorot }) => wageAgorot !== null)
      ? [
          {
            key: 'wage',
            title: t('time.wage'),
            align: 'amount' as const,
            width: 'fit',
            cell: ({ wageAgorot }: Person) => (wageAgorot === null ? '–' : <MoneyCell value={wageAgorot} />),
          },
        ]
      : []),
    {
      key: 'signed',
      title: t('time.signatures'),
      width: 'fit',
      phone: 'state',
      cell: ({ workerAt, approvedAt }) => (
        <StatusPill tone={approvedAt ? 'done' : workerAt ? 'wait' : 'plain'}>
          {t(approvedAt ? 'time.bothSigned' : workerAt ? 'time.workerSigned' : 'time.nobodySigned')}
        </StatusPill>
      ),
    },
  ]
  return (
    <DataTable
      main
      label={t('screens.timeTeam')}
      columns={columns}
      rows={data.rows}
      rowKey={({ personId }) => personId}
      rowName={({ person }) => person}
      onOpen={onSheet}
      menu={(row) => [
        { key: 'sheet', label: t('time.sheet'), onPress: () => onSheet(row) },
        ...(may('time.settings')
          ? [{ key: 'terms', label: t('time.terms'), onPress: () => onTerms(row) }]
          : []),
      ]}
    />
  )
}

function SheetDialog({ of, month, onClose }: { of: Person; month: string; onClose: () => void }) {
  const t = useWords()
  const may = useCan()
  const { data, error, refetch } = useCall(monthSheet, { month, personId: of.personId })
  const [busy, setBusy] = useState(false)
  const put = async (as: 'approved' | 'open') => {
    setBusy(true)
    try {
      await call(approveSheet, { month, personId: of.personId, as })
      await refresh()
      onClose()
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <Dialog
      isOpen
      size="l"
      onClose={onClose}
      title={of.person}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.close')}
          </Button>
          {may('time.approve') &&
            data &&
            (data.approvedAt ? (
              <Button icon={LockOpen} busy={busy} onPress={() => void put('open')}>
                {t('time.openSheet')}
              </Button>
            ) : (
              data.workerAt && (
                <Button kind="primary" icon={Check} busy={busy} onPress={() => void put('approved')}>
                  {t('time.approveSheet')}
                </Button>
              )
            ))}
        </>
      }
    >
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : data ? (
        <SheetBody data={data} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Dialog>
  )
}

function Requests({ rows }: { rows: Team['requests'] }) {
  const t = useWords()
  const may = useCan()
  const [refusing, setRefusing] = useState<string>()
  const [answer, setAnswer] = useState('')
  const approve = (id: string) =>
    void call(decideRequest, { id, approve: true }).then(refresh, (e: unknown) =>
      banner.error(failureText(t, e)),
    )
  const when = (from: string | null, to: string | null) =>
    from &&
    to && (
      <>
        <Num>{formatDay(dayInJerusalem(new Date(from)))}</Num>{' '}
        <Num>
          {timeOf(from)}–{timeOf(to)}
        </Num>
      </>
    )
  return (
    <Card title={t('time.view.requests')}>
      {rows.length === 0 ? (
        <p className="hint">{t('time.noRequests')}</p>
      ) : (
        <ul className="ti-list">
          {rows.map((row) => (
            <li key={row.id}>
              <span className="grow">
                <b>
                  <bdi>{row.person}</bdi>
                </b>{' '}
                · {t(`time.kind.${row.kind}`)}{' '}
                {row.beforeStartedAt && when(row.beforeStartedAt, row.beforeEndedAt)}{' '}
                {row.startedAt && row.beforeStartedAt && '→'} {when(row.startedAt, row.endedAt)} ·{' '}
                <bdi>{row.reason}</bdi>
              </span>
              {may('time.approve') && (
                <>
                  <Button size="s" icon={Check} onPress={() => approve(row.id)}>
                    {t('time.approveRequest')}
                  </Button>
                  <Button size="s" kind="quiet" icon={X} onPress={() => setRefusing(row.id)}>
                    {t('time.refuseRequest')}
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {refusing && (
        <FormDialog
          title={t('time.refuseRequest')}
          verb={t('time.refuseRequest')}
          names={['answer']}
          onClose={() => setRefusing(undefined)}
          onSubmit={async () => {
            await call(decideRequest, { id: refusing, approve: false, answer })
            await refresh()
            setAnswer('')
            setRefusing(undefined)
          }}
        >
          {(error) => (
            <TextField
              label={t('time.answer')}
              optional
              value={answer}
              onChange={setAnswer}
              max={300}
              {...error('answer', answer)}
            />
          )}
        </FormDialog>
      )}
    </Card>
  )
}

function Report({ month }: { month: string }) {
  const t = useWords()
  const [by, setBy] = useState<(typeof hoursBy)[number]>('worker')
  const last = endOfMonth(`${month}-01`)
  const { data } = useCall(hoursReport, { from: `${month}-01`, to: last, by })
  const columns: Column<OutputOf<typeof hoursReport>['rows'][number]>[] = [
    {
      key: 'name',
      title: t(`time.by.${by}`),
      strong: true,
      width: 'trim',
      phone: 'title',
      cell: ({ name }) => <bdi>{name || t('time.noOne')}</bdi>,
    },
    {
      key: 'minutes',
      title: t('time.all'),
      align: 'amount',
      width: 'fit',
      phone: 'amount',
      cell: ({ minutes }) => <Num>{clockText(minutes)}</Num>,
    },
    {
      key: 'charged',
      title: t('time.chargedHours'),
      align: 'amount',
      width: 'fit',
      phone: 'line',
      cell: ({ chargedMinutes }) => <Num>{clockText(chargedMinutes)}</Num>,
    },
    {
      key: 'count',
      title: t('time.clockings'),
      align: 'amount',
      width: 'fit',
      cell: ({ clockings }) => <Num>{clockings}</Num>,
    },
  ]
  return (
    <>
      <div className="ti-tools">
        <ChoiceField
          label={t('time.byWhat')}
          value={by}
          onChange={(next) => next && setBy(next)}
          choices={hoursBy.map((value) => ({ value, label: t(`time.by.${value}`) }))}
        />
      </div>
      <DataTable
        label={t('time.view.report')}
        columns={columns}
        rows={data?.rows ?? []}
        rowKey={({ id, name }) => id ?? name}
        loading={!data}
        empty={<p className="hint">{t('time.none')}</p>}
      />
    </>
  )
}

function TermsDialog({ of, month, onClose }: { of: Person; month: string; onClose: () => void }) {
  const t = useWords()
  const { lang } = useLanguage()
  const { terms } = of
  const may = useCan()
  const hides = useSession()?.HideTotalPrices
  const pay = may('time.pay') && !hides
  const [from, setFrom] = useState<string | null>(`${month}-01`)
  const [days, setDays] = useState<'5' | '6'>(terms?.days === 6 ? '6' : '5')
  const [shortDay, setShortDay] = useState(String(terms?.shortDay ?? 4))
  const [restDay, setRestDay] = useState(String(terms?.restDay ?? 6) as '0' | '5' | '6')
  const [overtime, setOvertime] = useState(terms?.overtime ?? true)
  const [hour, setHour] = useState<number | null>(terms?.hourAgorot ?? null)
  const [born, setBorn] = useState<string | null>(terms?.born ?? null)
  const names = new Intl.DateTimeFormat(lang, { weekday: 'long', timeZone: 'UTC' })
  // The first of January 2023 was a Sunday.
  const nameOf = (weekday: number) => names.format(new Date(Date.UTC(2023, 0, 1 + weekday)))
  return (
    <FormDialog
      title={`${t('time.terms')} · ${of.person}`}
      verb={t('kit.forms.save')}
      names={['from', 'days', 'shortDay', 'restDay', 'hourAgorot', 'born']}
      onClose={onClose}
      onSubmit={async () => {
        await call(keepTerms, {
          personId: of.personId,
          from: from ?? '',
          days: days === '6' ? 6 : 5,
          shortDay: Number(shortDay),
          restDay: Number(restDay) as 0 | 5 | 6,
          dayMinutes: terms?.dayMinutes ?? null,
          overtime,
          hourAgorot: pay ? hour : null,
          born,
        })
        await refresh()
        onClose()
      }}
    >
      {(error) => (
        <>
          <p className="hint">{t('time.termsText')}</p>
          <DayField label={t('time.termsFrom')} value={from} onChange={setFrom} {...error('from', from)} />
          <ChoiceField
            label={t('time.week')}
            value={days}
            onChange={(next) => next && setDays(next)}
            choices={[
              { value: '5', label: t('time.fiveDays') },
              { value: '6', label: t('time.sixDays') },
            ]}
            {...error('days', days)}
          />
          {days === '5' && (
            <ChoiceField
              label={t('time.shortDay')}
              as="list"
              value={shortDay}
              onChange={(next) => next && setShortDay(next)}
              choices={[0, 1, 2, 3, 4, 5, 6].map((value) => ({ value: String(value), label: nameOf(value) }))}
              {...error('shortDay', shortDay)}
            />
          )}
          <ChoiceField
            label={t('time.restDay')}
            value={restDay}
            onChange={(next) => next && setRestDay(next)}
            choices={(['6', '5', '0'] as const).map((value) => ({ value, label: nameOf(Number(value)) }))}
            {...error('restDay', restDay)}
          />
          <FlagField label={t('time.overtime')} value={overtime} onChange={setOvertime} />
          {pay && (
            <MoneyField
              label={t('time.hourWage')}
              optional
              value={hour}
              onChange={setHour}
              {...error('hourAgorot', hour)}
            />
          )}
          <DayField
            label={t('time.born')}
            hint={t('time.bornHint')}
            optional
            value={born}
            onChange={setBorn}
            {...error('born', born)}
          />
          <Notices of={of} />
        </>
      )}
    </FormDialog>
  )
}

/** The written notices of terms that a worker was sent to sign. */
function Notices({ of }: { of: Person }) {
  const t = useWords()
  const may = useCan()
  if (!may('signing.see')) return null
  return (
    <section aria-label={t('time.notice.title')}>
      <p className="font-medium">{t('time.notice.title')}</p>
      <Asked
        bare
        about={of.personId}
        purposes="notice"
        onAsk={() => show((close) => <NoticeDialog of={of} onClose={close} />)}
      />
    </section>
  )
}

function NoticeDialog({ of, onClose }: { of: Person; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [job, setJob] = useState('')
  const [superior, setSuperior] = useState('')
  const [from, setFrom] = useState<string | null>(of.terms?.from ?? today)
  const [until, setUntil] = useState<string | null>(null)
  const wage = of.terms?.hourAgorot
  const [pay, setPay] = useState(wage ? t('time.notice.hourly', { sum: formatMoney(wage) }) : '')
  const [payDay, setPayDay] = useState<number | null>(9)
  const [social, setSocial] = useState('')
  return (
    <AskDialog
      title={t('time.notice.ask', { person: of.person })}
      text={t('time.notice.text')}
      start={{ name: of.person, email: of.email, phone: '' }}
      names={['job', 'superior', 'from', 'until', 'pay', 'payDay', 'social']}
      ask={(given) =>
        call(askNotice, {
          personId: of.personId,
          ...given,
          job,
          superior,
          from: from ?? '',
          until,
          pay,
          payDay: payDay ?? 9,
          social,
        })
      }
      onClose={onClose}
    >
      {(refusal) => (
        <>
          <LongText
            label={t('time.notice.job')}
            value={job}
            onChange={setJob}
            rows={2}
            max={500}
            {...refusal('job', job)}
          />
          <TextField
            label={t('time.notice.superior')}
            value={superior}
            onChange={setSuperior}
            optional
            max={120}
            {...refusal('superior', superior)}
          />
          <div className="sg-two">
            <DayField
              label={t('time.notice.from')}
              value={from}
              onChange={setFrom}
              {...refusal('from', from)}
            />
            <DayField
              label={t('time.notice.until')}
              value={until}
              onChange={setUntil}
              optional
              {...refusal('until', until)}
            />
          </div>
          <LongText
            label={t('time.notice.pay')}
            value={pay}
            onChange={setPay}
            rows={2}
            max={500}
            {...refusal('pay', pay)}
          />
          <WholeField
            label={t('time.notice.payDay')}
            hint={t('time.notice.payDayHint')}
            value={payDay}
            onChange={setPayDay}
            {...refusal('payDay', payDay)}
          />
          <LongText
            label={t('time.notice.social')}
            hint={t('time.notice.socialHint')}
            value={social}
            onChange={setSocial}
            optional
            rows={3}
            max={1000}
            {...refusal('social', social)}
          />
        </>
      )}
    </AskDialog>
  )
}

function SettingsDialog({ asksPlace, onClose }: { asksPlace: boolean; onClose: () => void }) {
  const t = useWords()
  const [asks, setAsks] = useState(asksPlace)
  return (
    <FormDialog
      title={t('time.settings')}
      verb={t('kit.forms.save')}
      names={[]}
      onClose={onClose}
      onSubmit={async () => {
        await call(keepTimeSettings, { asksPlace: asks })
        await refresh()
        onClose()
      }}
    >
      {() => (
        <FlagField
          label={t('time.asksPlace')}
          hint={t('time.asksPlaceHint')}
          value={asks}
          onChange={setAsks}
        />
      )}
    </FormDialog>
  )
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [fullName, setFullName] = useState('')
  const [email, setEmail] = useState('')
  return (
    <FormDialog
      title={t('time.invite')}
      verb={t('time.inviteDo')}
      icon={UserPlus}
      names={['fullName', 'email']}
      onClose={onClose}
      onSubmit={async () => {
        await call(inviteClocker, { fullName, email })
        banner.success(t('time.invited', { email }))
        onClose()
      }}
    >
      {(error) => (
        <>
          <p className="hint">{t('time.inviteText')}</p>
          <TextField
            label={t('time.worker')}
            value={fullName}
            onChange={setFullName}
            max={120}
            {...error('fullName', fullName)}
          />
          <EmailField
            label={t('session.field.email')}
            value={email}
            onChange={setEmail}
            {...error('email', email)}
          />
        </>
      )}
    </FormDialog>
  )
}

function ChargeDialog({ month, onClose }: { month: string; onClose: () => void }) {
  const t = useWords()
  const last = endOfMonth(`${month}-01`)
  const [customer, setCustomer] = useState<Option | null>(null)
  const [from, setFrom] = useState<string | null>(`${month}-01`)
  const [to, setTo] = useState<string | null>(last)
  const [price, setPrice] = useState('')
  return (
    <FormDialog
      title={t('time.charge')}
      verb={t('time.chargeDo')}
      icon={FilePlus2}
      names={['customerId', 'from', 'to', 'hourPrice']}
      onClose={onClose}
      onSubmit={async () => {
        const { documentId } = await call(chargeHours, {
          customerId: customer?.key ?? '',
          from: from ?? '',
          to: to ?? '',
          hourPrice: price.trim(),
        })
        await refresh()
        onClose()
        go(`/invoice/InvoiceDocument/${documentId}`)
      }}
    >
      {(error) => (
        <>
          <p className="hint">{t('time.chargeText')}</p>
          <RefField
            label={t('time.by.customer')}
            value={customer}
            onChange={setCustomer}
            search={searchIn(customers)}
            {...error('customerId', customer)}
          />
          <DayField label={t('time.fromDay')} value={from} onChange={setFrom} {...error('from', from)} />
          <DayField label={t('time.toDay')} value={to} onChange={setTo} {...error('to', to)} />
          <TextField
            label={t('time.hourPrice')}
            value={price}
            onChange={setPrice}
            ltr
            inputMode="decimal"
            max={12}
            {...error('hourPrice', price)}
          />
        </>
      )}
    </FormDialog>
  )
}
