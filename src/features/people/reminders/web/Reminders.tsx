import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import type { LanguageCode } from '#domain/languages.ts'
import { call, failureText, fieldErrors, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { LanguageField } from '#kit/web/fields/SmallChoices.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { customerTypes } from '#features/registers/parties/classifications.ts'
import { changeReminders, getReminders, previewReminders, type Plan, type Step } from '../endpoints.ts'
import './reminders.css'
import { stepName } from './stepName.ts'

const hours = Array.from({ length: 14 }, (_, i) => String(i + 7))

/** When and in which words open debts are reminded of, and what would be sent next. */
export function Screen() {
  const t = useWords()
  const { data, error } = useCall(getReminders, {})
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={8} />
  const { nextAt, ...plan } = data
  return <Form key={JSON.stringify(data)} start={plan} nextAt={nextAt} />
}

function Form({ start, nextAt }: { start: Plan; nextAt: string | null }) {
  const t = useWords()
  const may = useCan()
  const [plan, setPlan] = useState(start)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [writing, setWriting] = useState<number>()
  const types = useCall(callsOf(customerTypes).list, { size: 100 }, { enabled: may(customerTypes.allow.see) })
  const put = (change: Partial<Plan>) => setPlan({ ...plan, ...change })
  const putStep = (at: number, change: Partial<Step>) =>
    put({ steps: plan.steps.map((step, i) => (i === at ? { ...step, ...change } : step)) })
  const { fields, rest } = failure
    ? fieldErrors(t, failure, ['hour', 'leastAgorot', ...plan.steps.map((_, i) => `steps.${i}.days`)])
    : { fields: {} as Record<string, string>, rest: undefined }
  const save = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await call(changeReminders, plan)
      await queryClient.invalidateQueries({ queryKey: keyOf(getReminders) })
      banner.success(t('reminders.saved'))
    } catch (e) {
      setFailure(e)
    }
    setBusy(false)
  }
  const dirty = JSON.stringify(plan) !== JSON.stringify(start)
  const known = types.data?.rows ?? []
  const free = () => {
    const days = plan.steps.map((step) => step.days)
    return [7, 14, 30, 45, 60, 90, 120, 0, -1, -7].find((one) => !days.includes(one)) ?? Math.max(...days) + 1
  }
  return (
    <>
      <PageHeader
        title={t('screens.reminders')}
        status={
          <StatusPill tone={start.isOn ? 'done' : 'plain'}>
            {t(start.isOn ? 'reminders.on' : 'reminders.off')}
          </StatusPill>
        }
        sub={nextAt ? t('reminders.nextAt', { at: formatMoment(new Date(nextAt)) }) : t('reminders.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={
          <Button kind="primary" busy={busy} isDisabled={!dirty} onPress={() => void save()}>
            {t('kit.forms.save')}
          </Button>
        }
      />
      <div className="rm-stack">
        {rest && <Note tone="late">{rest}</Note>}
        <Card>
          <FlagField
            as="switch"
            label={t('reminders.isOn')}
            hint={t('reminders.isOnHint')}
            value={plan.isOn}
            onChange={(isOn) => put({ isOn })}
          />
        </Card>
        <Card
          title={t('reminders.steps')}
          end={
            plan.steps.length < 10 && (
              <Button
                size="s"
                kind="quiet"
                icon={Plus}
                onPress={() => put({ steps: [...plan.steps, { days: free(), texts: {} }] })}
              >
                {t('reminders.add')}
              </Button>
            )
          }
        >
          <div className="rm-stack">
            {plan.steps.map((step, i) => (
              <div key={i} className="rm-step" role="group" aria-label={stepName(t, step.days)}>
                <WholeField
                  label={t('reminders.daysLabel')}
                  hideLabel
                  value={Math.abs(step.days)}
                  onChange={(days) => putStep(i, { days: (step.days < 0 ? -1 : 1) * Math.abs(days ?? 0) })}
                  error={fields[`steps.${i}.days`]}
                />
                <ChoiceField<'before' | 'after'>
                  as="list"
                  label={t('reminders.steps')}
                  hideLabel
                  value={step.days < 0 ? 'before' : 'after'}
                  onChange={(side) =>
                    putStep(i, { days: (side === 'before' ? -1 : 1) * Math.abs(step.days) || 0 })
                  }
                  choices={(['before', 'after'] as const).map((value) => ({
                    value,
                    label: t(`reminders.${value}`),
                  }))}
                />
                <Button size="s" kind="quiet" icon={Pencil} onPress={() => setWriting(i)}>
                  {t('reminders.texts')}
                </Button>
                <Button
                  size="s"
                  kind="quiet"
                  icon={Trash2}
                  label={t('reminders.removeStep')}
                  onPress={() => put({ steps: plan.steps.filter((_, at) => at !== i) })}
                />
              </div>
            ))}
            <div className="rm-pair">
              <ChoiceField
                label={t('reminders.fields.hour')}
                value={String(plan.hour)}
                onChange={(hour) => hour && put({ hour: Number(hour) })}
                choices={hours.map((value) => ({ value, label: `${value}:00` }))}
              />
            </div>
            <FlagField
              label={t('reminders.fields.weekends')}
              value={plan.weekends}
              onChange={(weekends) => put({ weekends })}
            />
          </div>
        </Card>
        <Card title={t('reminders.who')}>
          <div className="rm-stack">
            <div className="rm-pair">
              <MoneyField
                label={t('reminders.fields.leastAgorot')}
                optional
                value={plan.leastAgorot || null}
                onChange={(least) => put({ leastAgorot: Math.max(0, least ?? 0) })}
                error={fields.leastAgorot}
              />
            </div>
            {known.length > 0 && (
              <fieldset className="rm-types">
                <legend>{t('reminders.fields.types')}</legend>
                {known.map((row) => (
                  <FlagField
                    key={row.id}
                    label={String(row.name)}
                    value={plan.typeIds.includes(row.id)}
                    onChange={(on) =>
                      put({
                        typeIds: on ? [...plan.typeIds, row.id] : plan.typeIds.filter((id) => id !== row.id),
                      })
                    }
                  />
                ))}
              </fieldset>
            )}
          </div>
        </Card>
        <Preview plan={plan} />
      </div>
      {writing !== undefined && plan.steps[writing] && (
        <Texts
          step={plan.steps[writing]}
          onClose={() => setWriting(undefined)}
          onChange={(texts) => putStep(writing, { texts })}
        />
      )}
    </>
  )
}

/** The reminders of the next day by the plan as it is on the screen. */
function Preview({ plan }: { plan: Plan }) {
  const t = useWords()
  const hidden = useSession()?.HideTotalPrices
  const { hour, weekends, steps, typeIds, leastAgorot } = plan
  const { data } = useCall(
    previewReminders,
    { hour, weekends, steps, typeIds, leastAgorot },
    { enabled: !hidden, placeholderData: (old) => old },
  )
  const [open, setOpen] = useState<string>()
  if (!data) return null
  const sent = data.rows.filter((row) => row.state === 'send').length
  const shown = data.rows.find((row) => row.customerId === open)
  return (
    <>
      <Card
        title={t('reminders.preview', { day: formatDay(data.day) })}
        hint={data.rows.length > 0 && t('reminders.letters', { count: sent })}
        flush
      >
        {data.rows.length === 0 ? (
          <p className="rm-none hint">{t('reminders.emptyPreview')}</p>
        ) : (
          <Rows>
            {data.rows.map((row) => (
              <button
                key={row.customerId}
                type="button"
                className="rm-letter"
                onClick={() => setOpen(row.customerId)}
              >
                <span className="cut" title={`${row.customer} ${stepName(t, row.days)}`}>
                  <bdi className="rm-name">{row.customer}</bdi>{' '}
                  <bdi className="hint">{stepName(t, row.days)}</bdi>
                </span>
                <Money amount={row.openAgorot} />
                <StatusPill tone={row.state === 'send' ? 'info' : row.state === 'noMail' ? 'wait' : 'plain'}>
                  {t(`reminders.state.${row.state}`)}
                </StatusPill>
              </button>
            ))}
          </Rows>
        )}
      </Card>
      {shown && (
        <SideSheet isOpen onClose={() => setOpen(undefined)} title={shown.customer}>
          <div className="rm-stack">
            {shown.to.length > 0 && (
              <p className="hint">
                {t('reminders.fields.to')} <bdi>{shown.to.join(', ')}</bdi>
              </p>
            )}
            <div
              className="rm-mail"
              lang={shown.language}
              dir={shown.language === 'he' || shown.language === 'ar' ? 'rtl' : 'ltr'}
            >
              <b>{shown.subject}</b>
              <p>{shown.text}</p>
            </div>
          </div>
        </SideSheet>
      )}
    </>
  )
}

function Texts({
  step,
  onClose,
  onChange,
}: {
  step: Step
  onClose: () => void
  onChange: (texts: Step['texts']) => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const [language, setLanguage] = useState<LanguageCode>(lang)
  const now = step.texts[language] ?? { subject: '', text: '' }
  const put = (change: Partial<typeof now>) => {
    const next = { ...now, ...change }
    const { [language]: _, ...others } = step.texts
    onChange(next.subject || next.text ? { ...others, [language]: next } : others)
  }
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={stepName(t, step.days)}
      actions={
        <Button kind="primary" onPress={onClose}>
          {t('kit.actions.close')}
        </Button>
      }
    >
      <div className="rm-stack">
        <LanguageField
          label={t('reminders.textsLanguage')}
          value={language}
          onChange={(next) => next && setLanguage(next)}
        />
        <TextField
          label={t('reminders.fields.subject')}
          hint={t('reminders.readyWords')}
          value={now.subject}
          onChange={(subject) => put({ subject })}
          max={200}
        />
        <LongText
          label={t('reminders.fields.text')}
          hint={t('reminders.textsHint')}
          rows={9}
          value={now.text}
          onChange={(text) => put({ text })}
          max={4000}
        />
      </div>
    </SideSheet>
  )
}
