import { Ban, CalendarClock, Check, CreditCard, Handshake, Landmark, Percent } from 'lucide-react'
import { useState } from 'react'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, PercentField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { SelectionBar } from '#kit/web/parts/SelectionBar.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  decideSignup,
  listAffiliates,
  payAffiliates,
  savePlan,
  setAffiliate,
  setPayDay,
  takeAccount,
} from '../endpoints.ts'
import { BrandDialog, type Brand } from './BrandDialog.tsx'
import { BrandState } from './Standing.tsx'
import { payoutColumns } from './payoutColumns.tsx'
import { PlanLines } from './PlanLines.tsx'
import './affiliates.css'

type List = OutputOf<typeof listAffiliates>
type Row = List['rows'][number]
type Held = List['held'][number]
const tones: Record<Row['state'], StatusTone> = { asked: 'wait', active: 'done', stopped: 'draft' }
const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(listAffiliates) })

/** Who brings businesses to the operator: what waits for a look, what each earned, and paying it. */
export function Screen() {
  const t = useWords()
  const copy = useCopy()
  const { data, error, refetch } = useCall(listAffiliates, {})
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<
    { held: Held; counts: boolean } | { stop: Row } | { brand: Brand | undefined } | 'plan' | 'payDay'
  >()
  const [busy, setBusy] = useState(false)
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton lines={8} />
  if (!data.isOperator)
    return (
      <>
        <PageHeader title={t('screens.affiliates')} />
        <EmptyState icon={Handshake} title={t('affiliates.manage.off')}>
          {t('affiliates.manage.offText')}
        </EmptyState>
      </>
    )
  const say = async (deed: Promise<unknown>, word?: string) => {
    try {
      await deed
      await refresh()
      if (word) banner.success(t(word))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const pay = async () => {
    setBusy(true)
    try {
      const { rows } = await call(payAffiliates, { ids: [...selected] })
      await refresh()
      setSelected(new Set())
      banner.success(t('affiliates.manage.paid', { count: rows.length }))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  const [plan] = data.plans
  return (
    <div className="af-stack">
      <PageHeader
        title={t('screens.affiliates')}
        sub={
          data.monthly
            ? t('affiliates.monthly.next', { day: formatDay(data.monthly.nextOn) })
            : t('affiliates.manage.sub')
        }
        actions={
          <>
            <Button onPress={() => copy(data.signUpUrl)}>{t('affiliates.manage.copySignUp')}</Button>
            <Button icon={CreditCard} href="/invoice/reportmasavpayment">
              {t('affiliates.manage.masav')}
            </Button>
            {plan && (
              <Button icon={CalendarClock} onPress={() => setDialog('payDay')}>
                {t('affiliates.monthly.title')}
              </Button>
            )}
            <Button kind={plan ? 'plain' : 'primary'} icon={Percent} onPress={() => setDialog('plan')}>
              {t('affiliates.plan.change')}
            </Button>
          </>
        }
      />
      {!plan && <Note tone="wait">{t('affiliates.plan.none')}</Note>}
      {data.leftOut.length > 0 && (
        <Card title={t('affiliates.monthly.left', { day: formatDay(data.leftOut[0]!.day) })}>
          <DataTable
            label={t('affiliates.monthly.left', { day: formatDay(data.leftOut[0]!.day) })}
            columns={leftColumns(t)}
            rows={data.leftOut}
            rowKey={({ affiliateId }) => affiliateId}
            rowName={({ affiliate }) => affiliate}
          />
        </Card>
      )}
      {data.held.length > 0 && (
        <Card title={t('affiliates.held.title')}>
          <DataTable
            label={t('affiliates.held.title')}
            columns={heldColumns(t)}
            rows={data.held}
            rowKey={({ clientId }) => clientId}
            rowName={({ client }) => client}
            phoneMenu
            menu={(held) => [
              {
                key: 'count',
                label: t('affiliates.held.count'),
                icon: Check,
                onPress: () => setDialog({ held, counts: true }),
              },
              {
                key: 'refuse',
                label: t('affiliates.held.refuse'),
                icon: Ban,
                onPress: () => setDialog({ held, counts: false }),
              },
            ]}
          />
        </Card>
      )}
      <DataTable
        main
        label={t('screens.affiliates')}
        columns={columns(t)}
        rows={data.rows}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        density="comfortable"
        selected={selected}
        onSelect={setSelected}
        isOff={({ state }) => state === 'stopped'}
        phoneMenu
        menu={(row) => [
          ...(row.state !== 'active'
            ? [
                {
                  key: 'on',
                  label: t('affiliates.manage.agree'),
                  icon: Check,
                  onPress: () =>
                    void say(call(setAffiliate, { id: row.id, state: 'active' }), 'affiliates.manage.agreed'),
                },
              ]
            : []),
          ...(row.state !== 'stopped'
            ? [
                {
                  key: 'stop',
                  label: t('affiliates.manage.stop'),
                  icon: Ban,
                  onPress: () => setDialog({ stop: row }),
                },
              ]
            : []),
          ...(row.accountDiffers
            ? [
                {
                  key: 'account',
                  label: t('affiliates.manage.takeAccount'),
                  icon: Landmark,
                  onPress: () =>
                    void say(call(takeAccount, { id: row.id }), 'affiliates.manage.accountTaken'),
                },
              ]
            : []),
        ]}
        empty={
          <EmptyState icon={Handshake} title={t('affiliates.manage.none')}>
            {t('affiliates.manage.noneText')}
          </EmptyState>
        }
      />
      {selected.size > 0 && (
        <SelectionBar count={selected.size} onClear={() => setSelected(new Set())}>
          <Button kind="primary" busy={busy} onPress={() => void pay()}>
            {t('affiliates.manage.pay')}
          </Button>
        </SelectionBar>
      )}
      {data.payouts.length > 0 && (
        <Card title={t('affiliates.payouts.title')}>
          <DataTable
            label={t('affiliates.payouts.title')}
            columns={payoutsOf(t)}
            rows={data.payouts}
            rowKey={({ id }) => id}
            rowName={({ number }) => String(number)}
            rowHref={({ documentId }) => `/invoice/preview/${documentId}`}
            isOff={({ state }) => state === 'undone'}
          />
        </Card>
      )}
      {plan && (
        <Card title={t('affiliates.plan.title')}>
          {data.plans.map((one) => (
            <div key={one.fromDay}>
              <b>
                {t('affiliates.plan.fromDay')} <Num>{formatDay(one.fromDay)}</Num>
              </b>
              <PlanLines plan={one} />
            </div>
          ))}
        </Card>
      )}
      <Card
        title={t('affiliates.brand.title')}
        end={
          <Button size="s" onPress={() => setDialog({ brand: undefined })}>
            {t('affiliates.brand.add')}
          </Button>
        }
      >
        {data.brands.length === 0 ? (
          <p className="hint">{t('affiliates.brand.none')}</p>
        ) : (
          <DataTable
            label={t('affiliates.brand.title')}
            columns={brandColumns(t)}
            rows={data.brands}
            rowKey={({ domain }) => domain}
            rowName={({ name }) => name}
            onOpen={(brand) => setDialog({ brand })}
          />
        )}
      </Card>
      {dialog === 'payDay' && <PayDayDialog day={data.monthly?.day} onClose={() => setDialog(undefined)} />}
      {dialog === 'plan' && <PlanDialog of={plan} onClose={() => setDialog(undefined)} />}
      {typeof dialog === 'object' && 'held' in dialog && (
        <DecideDialog {...dialog} onClose={() => setDialog(undefined)} />
      )}
      {typeof dialog === 'object' && 'brand' in dialog && (
        <BrandDialog
          of={dialog.brand}
          dealers={data.rows}
          pages={data.pages}
          onClose={() => setDialog(undefined)}
        />
      )}
      {typeof dialog === 'object' && 'stop' in dialog && (
        <StopDialog of={dialog.stop} onClose={() => setDialog(undefined)} />
      )}
    </div>
  )
}

type Words = ReturnType<typeof useWords>

const columns = (t: Words): Column<Row>[] => [
  {
    key: 'name',
    title: t('affiliates.manage.name'),
    strong: true,
    width: 'trim',
    phone: 'title',
    cell: (row) => (
      <span className="af-name">
        <TextCell value={row.name} />
        <span className="hint text-12">
          <TextCell value={row.email} />
        </span>
      </span>
    ),
  },
  {
    key: 'state',
    title: t('affiliates.signUps.state'),
    width: 'fit',
    phone: 'state',
    cell: (row) => <StatusPill tone={tones[row.state]}>{t(`affiliates.state.${row.state}`)}</StatusPill>,
  },
  {
    key: 'account',
    title: t('affiliates.manage.account'),
    width: 'fit',
    cell: (row) =>
      row.accountDiffers ? (
        <StatusPill tone="wait">{t('affiliates.manage.accountDiffers')}</StatusPill>
      ) : row.accountChanged ? (
        <StatusPill tone="wait">{t('affiliates.manage.accountChanged')}</StatusPill>
      ) : row.hasAccount ? (
        ''
      ) : (
        <StatusPill tone="draft">{t('affiliates.manage.noAccount')}</StatusPill>
      ),
  },
  {
    key: 'signUps',
    title: t('affiliates.figure.signUps'),
    align: 'amount',
    width: 'fit',
    cell: (row) => <Num>{row.signUps}</Num>,
  },
  {
    key: 'paying',
    title: t('affiliates.figure.paying'),
    align: 'amount',
    width: 'fit',
    cell: (row) => <Num>{row.paying}</Num>,
  },
  {
    key: 'earned',
    title: t('affiliates.figure.earned'),
    align: 'amount',
    width: 'fit',
    cell: (row) => <MoneyCell value={row.earnedAgorot} />,
  },
  {
    key: 'due',
    title: t('affiliates.figure.due'),
    align: 'amount',
    width: 'fit',
    phone: 'amount',
    named: () => true,
    cell: (row) => <MoneyCell value={row.dueAgorot} />,
  },
  {
    key: 'paid',
    title: t('affiliates.figure.paid'),
    align: 'amount',
    width: 'fit',
    cell: (row) => <MoneyCell value={row.paidAgorot} />,
  },
]

const brandColumns = (t: Words): Column<List['brands'][number]>[] => [
  {
    key: 'name',
    title: t('affiliates.brand.name'),
    strong: true,
    width: 'trim',
    phone: 'title',
    cell: (row) => <bdi>{row.name}</bdi>,
  },
  {
    key: 'domain',
    title: t('affiliates.brand.domain'),
    width: 'trim',
    phone: 'line',
    cell: (row) => <bdi dir="ltr">{row.domain}</bdi>,
  },
  {
    key: 'dealer',
    title: t('affiliates.brand.dealer'),
    width: 'trim',
    cell: (row) => <bdi>{row.dealer}</bdi>,
  },
  {
    key: 'state',
    title: t('affiliates.brand.state'),
    width: 'fit',
    phone: 'state',
    cell: (row) => <BrandState of={row} />,
  },
  {
    key: 'count',
    title: t('affiliates.brand.businesses'),
    align: 'amount',
    width: 'fit',
    phone: 'amount',
    named: () => true,
    cell: (row) => <Num>{row.businesses}</Num>,
  },
]

const heldColumns = (t: Words): Column<Held>[] => [
  {
    key: 'client',
    title: t('affiliates.held.client'),
    strong: true,
    width: 'trim',
    phone: 'title',
    cell: (row) => <bdi>{row.client}</bdi>,
  },
  {
    key: 'affiliate',
    title: t('affiliates.manage.name'),
    width: 'trim',
    cell: (row) => <bdi>{row.affiliate}</bdi>,
  },
  {
    key: 'day',
    title: t('affiliates.signUps.day'),
    width: 'fit',
    cell: (row) => <Num>{formatDay(row.day)}</Num>,
  },
  {
    key: 'why',
    title: t('affiliates.signUps.why'),
    width: 'trim',
    phone: 'line',
    cell: (row) => row.reasons.map((reason) => t(`affiliates.reason.${reason}`)).join(' · '),
  },
  {
    key: 'waiting',
    title: t('affiliates.held.sum'),
    align: 'amount',
    width: 'fit',
    phone: 'amount',
    cell: (row) => <MoneyCell value={row.waitingAgorot} />,
  },
]

const leftColumns = (t: Words): Column<List['leftOut'][number]>[] => [
  {
    key: 'affiliate',
    title: t('affiliates.manage.name'),
    strong: true,
    width: 'trim',
    phone: 'title',
    cell: (row) => <bdi>{row.affiliate}</bdi>,
  },
  {
    key: 'why',
    title: t('affiliates.signUps.why'),
    width: 'trim',
    phone: 'line',
    cell: (row) =>
      row.refusal
        ? t(`errors.${row.refusal.code}`, row.refusal.params)
        : t(`affiliates.monthly.why.${row.outcome}`),
  },
  {
    key: 'amount',
    title: t('affiliates.figure.due'),
    align: 'amount',
    width: 'fit',
    phone: 'amount',
    cell: (row) => <MoneyCell value={row.amountAgorot} />,
  },
]

const payoutsOf = (t: Words): Column<List['payouts'][number]>[] => [
  {
    key: 'number',
    title: t('affiliates.payouts.paper'),
    strong: true,
    width: 'fit',
    phone: 'title',
    cell: (row) => t('affiliates.payouts.invoice', { number: row.number }),
  },
  {
    key: 'affiliate',
    title: t('affiliates.manage.name'),
    width: 'trim',
    phone: 'line',
    cell: (row) => <bdi>{row.affiliate}</bdi>,
  },
  {
    key: 'day',
    title: t('affiliates.payouts.day'),
    width: 'fit',
    cell: (row) => <Num>{formatDay(row.day)}</Num>,
  },
  ...payoutColumns(t),
]

function DecideDialog({ held, counts, onClose }: { held: Held; counts: boolean; onClose: () => void }) {
  const t = useWords()
  return (
    <ReasonDialog
      title={t(counts ? 'affiliates.held.count' : 'affiliates.held.refuse')}
      verb={t(counts ? 'affiliates.held.count' : 'affiliates.held.refuse')}
      danger={!counts}
      label={t('affiliates.held.why')}
      onClose={onClose}
      onReason={async (reason) => {
        await call(decideSignup, { clientId: held.clientId, counts, reason })
        await refresh()
        onClose()
      }}
    >
      <p>
        <bdi>{held.client}</bdi> · {held.reasons.map((one) => t(`affiliates.reason.${one}`)).join(' · ')}
      </p>
    </ReasonDialog>
  )
}

function StopDialog({ of, onClose }: { of: Row; onClose: () => void }) {
  const t = useWords()
  return (
    <ReasonDialog
      title={t('affiliates.manage.stop')}
      verb={t('affiliates.manage.stop')}
      danger
      label={t('affiliates.held.why')}
      optional
      onClose={onClose}
      onReason={async (reason) => {
        await call(setAffiliate, { id: of.id, state: 'stopped', reason })
        await refresh()
        onClose()
      }}
    >
      <p>{t('affiliates.manage.stopText')}</p>
    </ReasonDialog>
  )
}

/** The day of each month on which what is due is paid out automatically. */
function PayDayDialog({ day: set, onClose }: { day: number | undefined; onClose: () => void }) {
  const t = useWords()
  const [on, setOn] = useState(true)
  const [day, setDay] = useState<number | null>(set ?? 10)
  return (
    <FormDialog
      title={t('affiliates.monthly.title')}
      verb={t('kit.forms.save')}
      names={['day']}
      onClose={onClose}
      onSubmit={async () => {
        const { nextOn } = await call(setPayDay, { day: on ? (day ?? 0) : null })
        await refresh()
        banner.success(
          nextOn ? t('affiliates.monthly.next', { day: formatDay(nextOn) }) : t('affiliates.monthly.off'),
        )
        onClose()
      }}
    >
      {(error) => (
        <>
          <p>{t('affiliates.monthly.text')}</p>
          <FlagField label={t('affiliates.monthly.on')} value={on} onChange={setOn} />
          {on && (
            <WholeField
              label={t('affiliates.monthly.day')}
              hint={t('affiliates.monthly.dayHint')}
              value={day}
              onChange={setDay}
              {...error('day', on ? day : null)}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

const today = () => dayInJerusalem(new Date())

function PlanDialog({ of, onClose }: { of: List['plans'][number] | undefined; onClose: () => void }) {
  const t = useWords()
  const [fromDay, setFromDay] = useState<string | null>(of ? addDays(today(), 1) : today())
  const [steps, setSteps] = useState<{ from: number | null; rateBp: number | null }[]>(
    of?.steps ?? [{ from: 1, rateBp: 2000 }],
  )
  const [months, setMonths] = useState<number | null>(of?.months ?? 0)
  const [holdDays, setHold] = useState<number | null>(of?.holdDays ?? 45)
  const [least, setLeast] = useState<number | null>(of?.leastAgorot ?? 10_000)
  const put = (at: number, change: Partial<(typeof steps)[number]>) =>
    setSteps((before) => before.map((one, i) => (i === at ? { ...one, ...change } : one)))
  return (
    <FormDialog
      title={t('affiliates.plan.change')}
      verb={t('kit.forms.save')}
      names={['fromDay', 'months', 'holdDays', 'leastAgorot']}
      onClose={onClose}
      onSubmit={async () => {
        await call(savePlan, {
          fromDay: fromDay ?? '',
          steps: steps.map(({ from, rateBp }) => ({ from: from ?? 0, rateBp: rateBp ?? -1 })),
          months: months ?? -1,
          holdDays: holdDays ?? -1,
          leastAgorot: least ?? -1,
        })
        await refresh()
        onClose()
      }}
    >
      {(error) => (
        <>
          <DayField
            label={t('affiliates.plan.fromDay')}
            value={fromDay}
            onChange={setFromDay}
            {...error('fromDay', fromDay)}
          />
          {steps.map((step, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- a step is its place
            <div className="af-three" key={at}>
              <WholeField
                label={t('affiliates.plan.stepFrom')}
                value={step.from}
                onChange={(from) => put(at, { from })}
                disabled={at === 0}
              />
              <PercentField
                label={t('affiliates.plan.stepRate')}
                value={step.rateBp}
                onChange={(rateBp) => put(at, { rateBp })}
              />
            </div>
          ))}
          <div className="af-row">
            <Button
              size="s"
              onPress={() =>
                setSteps((before) => [
                  ...before,
                  { from: (before.at(-1)?.from ?? 0) + 5, rateBp: before.at(-1)?.rateBp ?? 0 },
                ])
              }
              isDisabled={steps.length >= 10}
            >
              {t('affiliates.plan.addStep')}
            </Button>
            {steps.length > 1 && (
              <Button size="s" kind="quiet" onPress={() => setSteps((before) => before.slice(0, -1))}>
                {t('affiliates.plan.dropStep')}
              </Button>
            )}
          </div>
          <div className="af-three">
            <WholeField
              label={t('affiliates.plan.monthsLabel')}
              hint={t('affiliates.plan.monthsHint')}
              value={months}
              onChange={setMonths}
              {...error('months', months)}
            />
            <WholeField
              label={t('affiliates.plan.holdLabel')}
              value={holdDays}
              onChange={setHold}
              {...error('holdDays', holdDays)}
            />
            <MoneyField
              label={t('affiliates.plan.leastLabel')}
              value={least}
              onChange={setLeast}
              {...error('leastAgorot', least)}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}
