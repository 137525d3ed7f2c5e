import { useState } from 'react'
import { formatDay, formatMoment, formatPeriod } from '#domain/format.ts'
import { reportingDays } from '#domain/law/dues.ts'
import { call, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday, useNow } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import type { ReportActionProps } from '#kit/web/screens/reportActions.ts'
import { listReports, runReport } from '#kit/web/screens/reportCalls.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { useWordsOf } from '#kit/web/words/wording.ts'
import { useIsDetailed, useVatPeriods } from '#features/base/companies/web/index.tsx'
import {
  changePlan,
  createPlan,
  fileFormats,
  listPlanPeople,
  listPlans,
  type Plan,
  type PlanGiven,
} from '../endpoints.ts'
import { daysOf, nextRing, rhythms, spans, usualSpan, type Span } from '../when.ts'
import { weekdayName } from './words.ts'
import './plans.css'

/** Sends the report that is open, exactly as it is seen. */
export function PlanAction({ report, query, title, onClose }: ReportActionProps) {
  const asked = Object.fromEntries(
    Object.entries(query).filter((one): one is [string, string] => typeof one[1] === 'string'),
  )
  return <PlanDialog start={{ report, query: asked, title }} onClose={onClose} />
}

const hours = Array.from({ length: 24 }, (_, i) => String(i))
const monthDays = [...Array.from({ length: 28 }, (_, i) => String(i + 1)), '31']

interface PlanDialogProps {
  start: { report: string; query: Record<string, string>; title: string } | Plan
  onClose: () => void
}

/**
 * The schedule of a report, its period, its recipients, and whether it is sent only when there is something to
 * report.
 */
export function PlanDialog({ start, onClose }: PlanDialogProps) {
  const t = useWords()
  const today = useToday()
  const now = useNow()
  const { lang } = useLanguage()
  const known = 'id' in start ? start : undefined
  const reports = useCall(listReports, {}, { staleTime: 10 * 60_000 })
  const listing = reports.data?.rows.find(({ name }) => name === start.report)
  const people = useCall(listPlanPeople, { report: start.report }).data?.rows
  // Its totals: what a condition can be about.
  const shape = useCall(runReport, { name: start.report, ...start.query, first: '1' }).data?.shape
  const words = listing?.words ?? ''
  useWordsOf(words)
  const periodOn = useVatPeriods()
  const isDetailed = useIsDetailed() ?? false
  const [plan, setPlan] = useState<Omit<PlanGiven, 'people'>>(
    known
      ? withoutMore(known)
      : {
          ...start,
          every: 'month',
          weekday: 0,
          monthDay: 1,
          daysBefore: 3,
          hour: 8,
          span: usualSpan.month,
          formats: ['pdf', 'xlsx'],
          condition: null,
          isOn: true,
        },
  )
  const [chosen, setChosen] = useState<string[] | undefined>(known?.people.map(({ id }) => id))
  const put = (change: Partial<PlanGiven>) => setPlan({ ...plan, ...change })
  const me = people?.find(({ isMe }) => isMe)
  const to = chosen ?? (me ? [me.id] : [])
  const hasPeriod = listing?.filters.from?.kind === 'day' && listing.filters.to?.kind === 'day'
  const totals = (shape?.totals ?? []).filter((name) =>
    ['money', 'number'].includes(shape!.columns[name]!.kind),
  )
  const { condition } = plan
  const total = condition && 'total' in condition ? condition : undefined
  const next =
    periodOn === undefined ? undefined : nextRing(now, plan, periodOn, reportingDays(isDetailed).vat)
  const days = next && periodOn !== undefined && hasPeriod ? daysOf(plan.span, next.day, periodOn) : undefined
  const gone = known?.people.filter(({ id }) => people && !people.some((one) => one.id === id)) ?? []
  return (
    <FormDialog
      title={t(known ? 'reportPlans.edit' : 'reportPlans.plan')}
      verb={t(known ? 'kit.forms.save' : 'reportPlans.begin')}
      names={['title', 'every', 'span', 'formats', 'condition', 'condition.value', 'daysBefore', 'people']}
      onClose={onClose}
      onSubmit={async () => {
        const given = { ...plan, people: to }
        await (known ? call(changePlan, { id: known.id, ...given }) : call(createPlan, given))
        await queryClient.invalidateQueries({ queryKey: keyOf(listPlans) })
        banner.success(t(known ? 'reportPlans.changed' : 'reportPlans.begun'))
        onClose()
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('reportPlans.fields.title')}
            name="title"
            value={plan.title}
            onChange={(title) => put({ title })}
            {...error('title', plan.title)}
          />
          <ChoiceField
            label={t('reportPlans.fields.every')}
            value={plan.every}
            // Another rhythm tells of other days, unless somebody chose them.
            onChange={(every) =>
              every &&
              put({ every, ...(plan.span === usualSpan[plan.every] ? { span: usualSpan[every] } : {}) })
            }
            choices={rhythms.map((value) => ({ value, label: t(`reportPlans.every.${value}`) }))}
          />
          <div className="rp-when">
            {plan.every === 'week' && (
              <ChoiceField
                as="list"
                label={t('reportPlans.fields.weekday')}
                value={String(plan.weekday)}
                onChange={(one) => put({ weekday: Number(one ?? 0) })}
                choices={[0, 1, 2, 3, 4, 5, 6].map((one) => ({
                  value: String(one),
                  label: weekdayName(one, lang),
                }))}
              />
            )}
            {plan.every === 'month' && (
              <ChoiceField
                as="list"
                label={t('reportPlans.fields.monthDay')}
                value={String(plan.monthDay)}
                onChange={(one) => put({ monthDay: Number(one ?? 1) })}
                choices={monthDays.map((one) => ({
                  value: one,
                  label: one === '31' ? t('reportPlans.lastDay') : one,
                }))}
              />
            )}
            {plan.every === 'vat' && (
              <WholeField
                label={t('reportPlans.fields.daysBefore')}
                name="daysBefore"
                value={plan.daysBefore}
                onChange={(daysBefore) => put({ daysBefore: daysBefore ?? 0 })}
                {...error('daysBefore', plan.daysBefore)}
              />
            )}
            <ChoiceField
              as="list"
              label={t('reportPlans.fields.hour')}
              value={String(plan.hour)}
              onChange={(one) => put({ hour: Number(one ?? 8) })}
              choices={hours.map((one) => ({ value: one, label: `${one.padStart(2, '0')}:00` }))}
            />
          </div>
          {hasPeriod && (
            <ChoiceField<Span>
              as="list"
              label={t('reportPlans.fields.span')}
              value={plan.span}
              onChange={(span) => span && put({ span })}
              choices={spans.map((value) => ({
                value,
                label:
                  value === 'own' && plan.query.from && plan.query.to
                    ? `${t('reportPlans.span.own')} ${formatPeriod({ from: plan.query.from, to: plan.query.to })}`
                    : t(`reportPlans.span.${value}`),
              }))}
            />
          )}
          {next && (
            <p className="hint">
              {t('reportPlans.next')}{' '}
              <bdi>{weekdayName(new Date(`${next.day}T00:00Z`).getUTCDay(), lang)}</bdi>{' '}
              <Num>{formatMoment(next.at)}</Num>
              {days && (
                <>
                  {' · '}
                  {t('reportPlans.tellsOf')} <Num>{formatPeriod(days)}</Num>
                </>
              )}
              {!days && !hasPeriod && (
                <>
                  {' · '}
                  {t('reportPlans.tellsOf')} <Num>{formatDay(next.day < today ? today : next.day)}</Num>
                </>
              )}
            </p>
          )}
          <ChoiceField
            label={t('reportPlans.fields.condition')}
            value={condition === null ? 'always' : total ? 'total' : 'rows'}
            onChange={(kind) =>
              put({
                condition:
                  kind === 'rows'
                    ? { rows: true }
                    : kind === 'total'
                      ? {
                          total:
                            totals.findLast((name) => shape?.columns[name]?.kind === 'money') ?? totals[0]!,
                          is: 'over',
                          value: 0,
                        }
                      : null,
              })
            }
            choices={(['always', 'rows', ...(totals.length > 0 ? (['total'] as const) : [])] as const).map(
              (value) => ({
                value,
                label: t(`reportPlans.condition.${value}`),
              }),
            )}
            {...error('condition', condition)}
          />
          {total && shape && (
            <div className="rp-when">
              <ChoiceField
                as="list"
                label={t('reportPlans.fields.total')}
                value={total.total}
                onChange={(name) => name && put({ condition: { ...total, total: name } })}
                choices={totals.map((value) => ({
                  value,
                  label: shape.columns[value]!.heading ?? t(`${words}.columns.${value}`),
                }))}
              />
              <ChoiceField
                label={t('reportPlans.fields.is')}
                value={total.is}
                onChange={(is) => is && put({ condition: { ...total, is } })}
                choices={(['over', 'under'] as const).map((value) => ({
                  value,
                  label: t(`reportPlans.is.${value}`),
                }))}
              />
              {shape.columns[total.total]?.kind === 'money' ? (
                <MoneyField
                  label={t('reportPlans.fields.value')}
                  name="condition.value"
                  value={total.value}
                  onChange={(value) => put({ condition: { ...total, value: value ?? 0 } })}
                  {...error('condition.value', total.value)}
                />
              ) : (
                <WholeField
                  label={t('reportPlans.fields.value')}
                  name="condition.value"
                  value={total.value}
                  onChange={(value) => put({ condition: { ...total, value: value ?? 0 } })}
                  {...error('condition.value', total.value)}
                />
              )}
            </div>
          )}
          <fieldset className="rp-ticks">
            <legend>{t('reportPlans.fields.people')}</legend>
            {!people && <Skeleton lines={2} />}
            {people?.map((one) => (
              <FlagField
                key={one.id}
                name="people"
                label={
                  <>
                    <bdi>{one.name}</bdi>{' '}
                    <span className="hint">
                      {one.isAccountant ? t('reportPlans.accountant') : <bdi>{one.email}</bdi>}
                    </span>
                  </>
                }
                {...(!one.mayOpen && !to.includes(one.id)
                  ? { disabled: true, hint: t('reportPlans.cannotOpen') }
                  : {})}
                value={to.includes(one.id)}
                onChange={(on) => setChosen(on ? [...to, one.id] : to.filter((id) => id !== one.id))}
              />
            ))}
            {gone.map((one) => (
              <FlagField
                key={one.id}
                label={<bdi>{one.name}</bdi>}
                hint={t('reportPlans.outcome.lostRight')}
                value={to.includes(one.id)}
                onChange={(on) => setChosen(on ? [...to, one.id] : to.filter((id) => id !== one.id))}
              />
            ))}
            {error('people', to).error && <Note tone="late">{error('people', to).error}</Note>}
          </fieldset>
          <fieldset className="rp-ticks rp-line">
            <legend>{t('reportPlans.fields.formats')}</legend>
            {fileFormats.map((one) => (
              <FlagField
                key={one}
                label={one.toUpperCase()}
                value={plan.formats.includes(one)}
                onChange={(on) =>
                  put({
                    formats: fileFormats.filter((each) => (each === one ? on : plan.formats.includes(each))),
                  })
                }
              />
            ))}
          </fieldset>
          {error('formats', plan.formats).error && (
            <Note tone="late">{error('formats', plan.formats).error}</Note>
          )}
          <p className="hint">{t('reportPlans.rightsHint')}</p>
        </>
      )}
    </FormDialog>
  )
}

const withoutMore = ({
  id: _,
  by: _by,
  isMine: _mine,
  nextAt: _next,
  people: _people,
  last: _last,
  ...given
}: Plan): Omit<PlanGiven, 'people'> => given
