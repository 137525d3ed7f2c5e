import { Check, HardDrive, Puzzle, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoney } from '#domain/format.ts'
import { call, failureText, queryClient, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { buyModule, cancelModule, listAreas, listModules, type Plugins } from '../endpoints.ts'
import { modules, trialDays, type Module } from '../modules.ts'
import { Areas } from './Areas.tsx'
import './modules.css'

const icons: Record<string, LucideIcon> = { storage: HardDrive }

/** The plug-ins of the business: what each opens, what it costs, and that nothing is charged yet. */
export function Screen() {
  const t = useWords()
  const may = useCan()('modules')
  const [asks, setAsks] = useState<Module>()
  const [busy, setBusy] = useState<number>()
  const { data, error, isLoading } = useCall(listModules, {})
  // What is above arrives first: nothing moves down for it.
  const { data: areas } = useCall(listAreas, {})
  const send = async (deed: typeof buyModule | typeof cancelModule, module: Module, said: string) => {
    setBusy(module.id)
    try {
      putAnswer(listModules, {}, await call(deed, { plugin: module.id }))
      void queryClient.invalidateQueries()
      banner.success(t(said, { name: t(`modules.named.${module.name}`) }))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(undefined)
  }
  if (error && !data) return <Failed error={error} />
  return (
    <>
      <PageHeader
        title={t('screens.modules')}
        sub={t('modules.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
      />
      <div className="mo-note">
        <Areas />
        {areas && (
          <>
            <h2 className="mo-paid">{t('modules.paid')}</h2>
            <Note>{t('modules.free', { days: trialDays })}</Note>
          </>
        )}
      </div>
      {!may && areas && <p className="sub mt-3">{t('modules.notYours')}</p>}
      {!areas ? null : isLoading ? (
        <Skeleton lines={6} />
      ) : (
        <ul className="mo-list">
          {modules.map((module) => (
            <li key={module.id} className="k-card">
              <One
                module={module}
                record={data?.records.find(({ pluginid }) => pluginid === module.id)}
                may={may}
                busy={busy === module.id}
                onBuy={() => void send(buyModule, module, 'modules.bought')}
                onCancel={() => setAsks(module)}
              />
            </li>
          ))}
        </ul>
      )}
      <Question
        isOpen={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={t('modules.cancelAsk', { name: asks ? t(`modules.named.${asks.name}`) : '' })}
        verb={t('modules.cancel')}
        danger
        onConfirm={() => send(cancelModule, asks!, 'modules.cancelled')}
      >
        {asks && t(`modules.${asks.name}.ends`)}
      </Question>
    </>
  )
}

function One({
  module,
  record,
  may,
  busy,
  onBuy,
  onCancel,
}: {
  module: Module
  record: Plugins['records'][number] | undefined
  may: boolean
  busy: boolean
  onBuy: () => void
  onCancel: () => void
}) {
  const t = useWords()
  return (
    <div className="mo-one">
      <span className="k-tile" data-tone={record ? 'done' : undefined}>
        <Icon of={icons[module.name] ?? Puzzle} />
      </span>
      <div className="what">
        <h2>
          {t(`modules.named.${module.name}`)}
          {record && (
            <StatusPill tone={record.endsOn ? 'wait' : 'done'}>
              {t(record.endsOn ? 'modules.ending' : 'modules.on')}
            </StatusPill>
          )}
        </h2>
        <p>{t(`modules.${module.name}.text`)}</p>
        <ul>
          {[1, 2, 3].map((n) => (
            <li key={n}>
              <Icon of={Check} size="s" />
              {t(`modules.${module.name}.has${n}`)}
            </li>
          ))}
        </ul>
        {record && (
          <p className="hint">
            {t('modules.since')} <Num>{formatDay(record.since)}</Num> ·{' '}
            {t(record.endsOn ? 'modules.endsOn' : 'modules.trialUntil')}{' '}
            <Num>{formatDay(record.endsOn ?? record.trialUntil)}</Num>
          </p>
        )}
      </div>
      <div className="end">
        <p className="price">
          <bdi className="num">
            <span className="sg">₪</span>
            {formatMoney(module.priceAgorot).replace(/\.00$/, '')}
          </bdi>{' '}
          <span className="hint">{t('modules.month')}</span>
        </p>
        {record && !record.endsOn ? (
          <>
            <Button href={module.href}>{t('modules.open')}</Button>
            {may && (
              <Button kind="quiet" busy={busy} onPress={onCancel}>
                {t('modules.cancel')}
              </Button>
            )}
          </>
        ) : (
          may && (
            <Button kind={record ? 'plain' : 'primary'} busy={busy} onPress={onBuy}>
              {t(record ? 'modules.keep' : 'modules.add')}
            </Button>
          )
        )}
      </div>
    </div>
  )
}
