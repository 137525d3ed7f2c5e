import { CircleCheck, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { pagePdf } from '#features/sales/documents/endpoints.ts'
import { documentName } from '#features/sales/documents/web/index.tsx'
import { chooseModules, mainPayment } from '../endpoints.ts'
import './editor.css'

/**
 * What the business pays for the product: its plan, the next charge, the card, and invoices of the operator.
 */
export function Screen() {
  const t = useWords()
  const { query } = usePlace()
  const { data, error } = useCall(mainPayment, {}, { staleTime: 0 })
  if (error && !data) return <Failed error={error} />
  if (!data) return <Skeleton lines={6} />
  const { plan } = data
  // The plan that was chosen before the sign-up comes first.
  const plans = data.plans.toSorted((a, b) => Number(b.key === query.plan) - Number(a.key === query.plan))
  const isOver = plan === null || plan.state === 'ended' || plan.state === 'cancelled'
  return (
    <div className="pe-stack">
      <PageHeader title={t('screens.mainPayment')} sub={data.isOn ? <bdi>{data.operator}</bdi> : undefined} />
      {!data.isOn ? (
        <EmptyState icon={CircleCheck} title={t('billing.off')}>
          {t('billing.offText')}
        </EmptyState>
      ) : (
        <>
          {plan && plan.failedAgorot > 0 && (
            <Note
              tone="late"
              action={
                <Button
                  size="s"
                  kind="soft"
                  onPress={() => void window.open(plan.url, '_blank', 'noreferrer')}
                >
                  {t('billing.pay')}
                </Button>
              }
            >
              {t('billing.failed')} <Money amount={plan.failedAgorot} />
            </Note>
          )}
          {plan && !isOver && (
            <Card title={t('billing.plan')}>
              <dl className="pe-facts">
                <div>
                  <dt>{t('billing.plan')}</dt>
                  <dd>
                    <bdi>{plan.title}</bdi>
                  </dd>
                </div>
                <div>
                  <dt>{t('billing.next')}</dt>
                  <dd>
                    {plan.nextDay ? (
                      <>
                        <Num>{formatDay(plan.nextDay)}</Num> · <Money amount={plan.nextAgorot} />
                      </>
                    ) : (
                      t('billing.none')
                    )}
                  </dd>
                </div>
                <div>
                  <dt>{t('billing.card')}</dt>
                  <dd>{plan.card ? <bdi className="num">{plan.card}</bdi> : t('billing.none')}</dd>
                </div>
              </dl>
              {plan.modules.length > 0 && (
                <Modules
                  key={plan.modules.map(({ id, isOn }) => `${id}${isOn}`).join()}
                  modules={plan.modules}
                  from={plan.nextDay}
                />
              )}
              <p className="pe-line">
                <Button
                  icon={ExternalLink}
                  onPress={() => void window.open(plan.url, '_blank', 'noreferrer')}
                >
                  {t('billing.manage')}
                </Button>
              </p>
            </Card>
          )}
          <Note>{t('billing.neverLocked')}</Note>
          {plans.length > 0 && (
            <Card title={t(isOver ? 'billing.choose' : 'billing.others')}>
              <ul className="pe-lines">
                {plans.map((one) => (
                  <li key={one.url}>
                    <span>
                      <b>
                        <bdi>{one.title}</bdi>
                      </b>{' '}
                      {one.key === query.plan && <StatusPill tone="info">{t('billing.chosen')}</StatusPill>}{' '}
                      <span className="sub" dir="auto">
                        {one.text}
                      </span>
                      {one.modules.length > 0 && (
                        <span className="sub pe-modules">
                          {t('billing.modulesOf')}{' '}
                          {one.modules.map((module, i) => (
                            <span key={module.id}>
                              {i > 0 && ' · '}
                              <bdi>{module.name}</bdi> <Money amount={module.priceAgorot} />
                            </span>
                          ))}
                        </span>
                      )}
                    </span>
                    <span className="pe-line">
                      <span>
                        <Money amount={one.priceAgorot} />{' '}
                        {one.everyN === 1
                          ? t('billing.aMonth')
                          : t('billing.everyMonths', { count: one.everyN })}
                      </span>
                      <Button
                        size="s"
                        kind={isOver ? 'primary' : 'plain'}
                        onPress={() => void window.open(one.url, '_blank', 'noreferrer')}
                      >
                        {t('billing.take')}
                      </Button>
                    </span>
                  </li>
                ))}
              </ul>
              {!isOver && <p className="sub">{t('billing.changeHint')}</p>}
            </Card>
          )}
          {data.papers.length > 0 && (
            <Card title={t('billing.invoices')}>
              <ul className="pe-lines">
                {data.papers.map((paper) => (
                  <li key={paper.key}>
                    <span>
                      <Num>{formatDay(paper.day)}</Num> · <Money amount={paper.totalAgorot} />
                    </span>
                    <FileButton size="s" endpoint={pagePdf} input={{ key: paper.key }}>
                      {documentName(t, paper.type, paper.number)}
                    </FileButton>
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </>
      )}
    </div>
  )
}

type Module = NonNullable<z.output<typeof mainPayment.output>['plan']>['modules'][number]

/** What can be had beside the plan, each with its price; kept together, from the next charge on. */
function Modules({ modules, from }: { modules: readonly Module[]; from: string | null }) {
  const t = useWords()
  const may = useCan()('billing.change')
  const [on, setOn] = useState(() => modules.filter(({ isOn }) => isOn).map(({ id }) => id))
  const [busy, setBusy] = useState(false)
  const isSame = modules.every(({ id, isOn }) => isOn === on.includes(id))
  const save = async () => {
    setBusy(true)
    try {
      putAnswer(mainPayment, {}, await call(chooseModules, { modules: on }))
      banner.success(t('billing.modulesKept'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <fieldset className="pe-modules">
      <legend>{t('billing.modules')}</legend>
      {modules.map(({ id, name, priceAgorot }) => (
        <div className="pe-line" key={id}>
          <FlagField
            label={name}
            disabled={!may}
            value={on.includes(id)}
            onChange={(value) => setOn(value ? [...on, id] : on.filter((one) => one !== id))}
          />
          <Money amount={priceAgorot} />
        </div>
      ))}
      {may && !isSame && (
        <p className="pe-line">
          <Button kind="primary" busy={busy} onPress={() => void save()}>
            {t('kit.forms.save')}
          </Button>
          {from && (
            <span className="sub">
              {t('billing.modulesFrom')} <Num>{formatDay(from)}</Num>
            </span>
          )}
        </p>
      )}
    </fieldset>
  )
}
