import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { startOfMonth, type Day } from '#domain/day.ts'
import { declineKinds, deeds, usualCampaign, type CampaignStep } from '#domain/standingOrders/campaign.ts'
import { call, failureText, keyOf, queryClient, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { TableFileButton } from '#kit/web/parts/TableFileButton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import {
  dropCampaign,
  dropIndex,
  importIndices,
  keepCampaign,
  keepIndex,
  keepSettings,
  listCampaigns,
  listIndices,
  orderSettings,
  listOrderWords,
} from '../endpoints.ts'
import { Letters } from './Letters.tsx'
import './orders.css'

interface Campaign {
  id?: string | undefined
  name: string
  isUsual: boolean
  steps: CampaignStep[]
}

/** How charges are made, what is done when one fails, and the indices that linked amounts follow. */
export function Screen() {
  const t = useWords()
  const parts = [
    useCall(orderSettings, {}),
    useCall(listCampaigns, {}),
    useCall(listOrderWords, { language: useLanguage().lang }),
    useCall(listIndices, {}),
  ]
  return (
    <div className="so-stack">
      <Together waits={parts.some(({ isLoading }) => isLoading)}>
        <PageHeader
          title={t('screens.retainerSettings')}
          sub={t('standingOrders.settings.sub')}
          crumbs={[{ label: t('screens.retainers'), href: '/invoice/retainers' }]}
        />
        <Engine />
        <Campaigns />
        <Letters />
        <Indices />
      </Together>
    </div>
  )
}

function Engine() {
  const t = useWords()
  const may = useCan()('standingOrders.run')
  const { data, error } = useCall(orderSettings, {})
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={3} />
  return <EngineForm start={data} may={may} />
}

function EngineForm({
  start,
  may,
}: {
  start: { mostMissed: number; hour: number; ratePerMinute: number }
  may: boolean
}) {
  const t = useWords()
  const [form, setForm] = useState(start)
  const { busy, rest, error, run, place } = useAction(
    ['mostMissed', 'hour', 'ratePerMinute'],
    async () => {
      putAnswer(orderSettings, {}, await call(keepSettings, form))
      banner.success(t('standingOrders.settings.saved'))
    },
    { stays: true },
  )
  return (
    <Card title={t('standingOrders.settings.engine')}>
      <form ref={place} onSubmit={run} noValidate className="so-form">
        {rest && <Note tone="late">{rest}</Note>}
        <div className="so-fields">
          <WholeField
            label={t('standingOrders.settings.hour')}
            value={form.hour}
            onChange={(hour) => setForm({ ...form, hour: hour ?? 0 })}
            disabled={!may}
            {...error('hour', form.hour)}
          />
          <WholeField
            label={t('standingOrders.settings.mostMissed')}
            hint={t('standingOrders.settings.mostMissedHint')}
            value={form.mostMissed}
            onChange={(mostMissed) => setForm({ ...form, mostMissed: mostMissed ?? 0 })}
            disabled={!may}
            {...error('mostMissed', form.mostMissed)}
          />
          <WholeField
            label={t('standingOrders.settings.ratePerMinute')}
            value={form.ratePerMinute}
            onChange={(ratePerMinute) => setForm({ ...form, ratePerMinute: ratePerMinute ?? 1 })}
            disabled={!may}
            {...error('ratePerMinute', form.ratePerMinute)}
          />
        </div>
        {may && (
          <div>
            <Button kind="primary" type="submit" busy={busy}>
              {t('kit.forms.save')}
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}

function Campaigns() {
  const t = useWords()
  const may = useCan()('standingOrders.change')
  const { data, error } = useCall(listCampaigns, {})
  const [edits, setEdits] = useState<Campaign>()
  const again = () => queryClient.invalidateQueries({ queryKey: keyOf(listCampaigns) })
  return (
    <Card
      title={t('standingOrders.settings.campaigns')}
      hint={t('standingOrders.settings.campaignsHint')}
      end={
        may && (
          <Button
            size="s"
            icon={Plus}
            onPress={() =>
              setEdits({ name: '', isUsual: data?.rows.length === 0, steps: [...usualCampaign] })
            }
          >
            {t('standingOrders.settings.addCampaign')}
          </Button>
        )
      }
    >
      {error && !data ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : !data ? (
        <Skeleton lines={2} />
      ) : data.rows.length === 0 ? (
        <p className="so-small">{t('standingOrders.settings.noCampaigns')}</p>
      ) : (
        <ul className="so-coming">
          {data.rows.map((one) => (
            <li key={one.id}>
              <span>
                <b>
                  <bdi>{one.name}</bdi>
                </b>{' '}
                {one.isUsual && <StatusPill tone="info">{t('standingOrders.settings.usual')}</StatusPill>}
                <span className="so-small">
                  {' '}
                  {t('standingOrders.settings.steps', { count: one.steps.length })}
                </span>
              </span>
              {may && (
                <span className="so-acts">
                  <Button size="s" kind="quiet" icon={Pencil} onPress={() => setEdits(one)}>
                    {t('kit.lists.edit')}
                  </Button>
                  <Button
                    size="s"
                    kind="quiet"
                    icon={Trash2}
                    label={`${t('standingOrders.settings.drop')} ${one.name}`}
                    onPress={() =>
                      void call(dropCampaign, { id: one.id })
                        .then(again)
                        .catch((e: unknown) => banner.error(failureText(t, e)))
                    }
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {edits && <CampaignDialog key={edits.id ?? 'new'} start={edits} onClose={() => setEdits(undefined)} />}
    </Card>
  )
}

function CampaignDialog({ start, onClose }: { start: Campaign; onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState(start.name)
  const [isUsual, setUsual] = useState(start.isUsual)
  const [steps, setSteps] = useState(() => start.steps.map((step, i) => ({ ...step, key: i })))
  const put = (key: number, change: Partial<CampaignStep>) =>
    setSteps(steps.map((step) => (step.key === key ? { ...step, ...change } : step)))
  return (
    <FormDialog
      title={t('standingOrders.settings.campaign')}
      m
      names={['name', 'steps', ...steps.map((_, i) => `steps.${i}.days`)]}
      onClose={onClose}
      onSubmit={async () => {
        await call(keepCampaign, {
          ...(start.id ? { id: start.id } : {}),
          name,
          isUsual,
          steps: steps.map(({ key: _, ...step }) => step),
        })
        await queryClient.invalidateQueries({ queryKey: keyOf(listCampaigns) })
      }}
    >
      {(error) => (
        <div className="so-form">
          <TextField
            label={t('standingOrders.settings.name')}
            value={name}
            onChange={setName}
            max={80}
            {...error('name', name)}
          />
          <FlagField label={t('standingOrders.settings.isUsual')} value={isUsual} onChange={setUsual} />
          {steps.map((step, i) => (
            <div key={step.key} className="so-fields">
              <WholeField
                label={t('standingOrders.settings.days')}
                value={step.days}
                onChange={(days) => put(step.key, { days: days ?? 0 })}
                {...error(`steps.${i}.days`, step.days)}
              />
              <ChoiceField
                as="list"
                label={t('standingOrders.settings.on')}
                value={step.on}
                onChange={(on) => on && put(step.key, { on })}
                choices={declineKinds.map((value) => ({ value, label: t(`standingOrders.on.${value}`) }))}
              />
              <ChoiceField
                as="list"
                label={t('standingOrders.settings.deed')}
                value={step.deed}
                onChange={(deed) => deed && put(step.key, { deed })}
                choices={deeds.map((value) => ({ value, label: t(`standingOrders.deed.${value}`) }))}
              />
              <Button
                kind="quiet"
                icon={Trash2}
                label={t('standingOrders.settings.removeStep')}
                isDisabled={steps.length === 1}
                onPress={() => setSteps(steps.filter(({ key }) => key !== step.key))}
              />
            </div>
          ))}
          <div>
            <Button
              size="s"
              kind="quiet"
              icon={Plus}
              onPress={() =>
                setSteps([
                  ...steps,
                  {
                    days: (steps.at(-1)?.days ?? 0) + 3,
                    on: 'any',
                    deed: 'mail',
                    key: Math.max(...steps.map(({ key }) => key)) + 1,
                  },
                ])
              }
            >
              {t('standingOrders.settings.addStep')}
            </Button>
          </div>
        </div>
      )}
    </FormDialog>
  )
}

function Indices() {
  const t = useWords()
  const may = useCan()('standingOrders.change')
  const { data, error } = useCall(listIndices, {})
  const [month, setMonth] = useState<Day | null>(null)
  const [value, setValue] = useState('')
  const [coefficient, setCoefficient] = useState('')
  const [busy, setBusy] = useState(false)
  const keep = (rows: NonNullable<typeof data>) => putAnswer(listIndices, {}, rows)
  const { place: deedRef, ...deed } = useAction(
    ['month', 'value', 'coefficient'],
    async () => {
      keep(
        await call(keepIndex, {
          month: month ? startOfMonth(month) : '',
          value,
          ...(coefficient ? { coefficient } : {}),
        }),
      )
      setValue('')
    },
    { stays: true },
  )
  const bring = async (file: File) => {
    setBusy(true)
    try {
      const { count } = await call(importIndices, {
        look: 'false',
        bytes: new Uint8Array(await file.arrayBuffer()) as never,
      })
      await queryClient.invalidateQueries({ queryKey: keyOf(listIndices) })
      banner.success(t('standingOrders.settings.imported', { count }))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <Card
      title={t('standingOrders.settings.indices')}
      hint={t('standingOrders.settings.indicesHint')}
      end={
        may && (
          <TableFileButton
            label={t('standingOrders.settings.import')}
            workbooks
            busy={busy}
            onFile={(file) => void bring(file)}
          />
        )
      }
    >
      <div className="so-form">
        {may && (
          <form ref={deedRef} onSubmit={deed.run} noValidate className="so-fields">
            <DayField
              label={t('standingOrders.settings.month')}
              value={month}
              onChange={setMonth}
              {...deed.error('month', month)}
            />
            <TextField
              label={t('standingOrders.settings.value')}
              ltr
              inputMode="decimal"
              value={value}
              onChange={setValue}
              max={12}
              {...deed.error('value', value)}
            />
            <TextField
              label={t('standingOrders.settings.coefficient')}
              optional
              ltr
              inputMode="decimal"
              hint={t('standingOrders.settings.coefficientHint')}
              value={coefficient}
              onChange={setCoefficient}
              max={14}
              {...deed.error('coefficient', coefficient)}
            />
            <Button type="submit" busy={deed.busy}>
              {t('standingOrders.settings.addIndex')}
            </Button>
          </form>
        )}
        {error && !data ? (
          <Note tone="late">{failureText(t, error)}</Note>
        ) : !data ? (
          <Skeleton lines={3} />
        ) : data.rows.length === 0 ? (
          <p className="so-small">{t('standingOrders.settings.noIndices')}</p>
        ) : (
          <ul className="so-coming">
            {data.rows.slice(0, 24).map((one) => (
              <li key={one.month}>
                <Num>
                  {one.month.slice(5, 7)}/{one.month.slice(0, 4)}
                </Num>
                <span className="so-acts">
                  <Num>{one.value}</Num>
                  {one.coefficient !== '1' && <Num>× {one.coefficient}</Num>}
                  {may && (
                    <Button
                      size="s"
                      kind="quiet"
                      icon={Trash2}
                      label={`${t('standingOrders.settings.drop')} ${one.month.slice(0, 7)}`}
                      onPress={() =>
                        void call(dropIndex, { month: one.month })
                          .then(keep)
                          .catch((e: unknown) => banner.error(failureText(t, e)))
                      }
                    />
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}
