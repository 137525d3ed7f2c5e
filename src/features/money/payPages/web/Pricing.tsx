import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { formatMoney } from '#domain/format.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { mainPath } from '#kit/web/session/guard.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { readQuery, writeQuery } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWhenIdle } from '#kit/web/hooks/useWhenIdle.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { addEventView } from '#features/base/session/endpoints.ts'
import { pricing } from '../endpoints.ts'
import { plans } from './plans.ts'
import './pricing.css'

/** That prices were looked at is counted once nothing else is waited for. */
const countSeen = () => call(addEventView, { event: 'pricingSeen' })

/** What it costs, side by side: the plans that are charged, and the makers' price list where nothing is. */
export function Screen() {
  const t = useWords()
  useWhenIdle(countSeen)
  const { data, error, refetch } = useCall(pricing, { domain: location.hostname })
  return (
    <div className="pr-page">
      <header>
        <h1>{t('screens.pricing')}</h1>
        {data && <p>{t(data.isOn ? 'pricing.subOn' : 'pricing.sub')}</p>}
      </header>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <div className="pr-wait">
          <Skeleton lines={12} />
        </div>
      ) : data.isOn ? (
        <Charged of={data} />
      ) : (
        <Listed limits={data.limits} />
      )}
      {data && <p className="hint">{t(data.isOn ? 'pricing.footOn' : 'pricing.foot')}</p>}
    </div>
  )
}

/** Choosing a plan: visitors sign up with it, signed-in people go to where their business pays. */
function Take({ plan, main }: { plan?: string; main: boolean }) {
  const t = useWords()
  const session = useSession()
  const may = useCan()('billing.see')
  const kind = main ? 'primary' : 'plain'
  if (!session)
    return (
      <Button kind={kind} wide href={`/signupinvoice${writeQuery({ ...readQuery(location.search), plan })}`}>
        {t(plan ? 'billing.take' : 'pricing.start')}
      </Button>
    )
  return may ? (
    <Button kind={kind} wide href={`/invoice/mainpayment${writeQuery({ plan })}`}>
      {t(plan ? 'billing.take' : 'pricing.mine')}
    </Button>
  ) : (
    <Button wide href={mainPath(session)}>
      {t('kit.notFound.home')}
    </Button>
  )
}

function Charged({ of }: { of: z.output<typeof pricing.output> }) {
  const t = useWords()
  if (of.plans.length === 0) return <Note>{t('pricing.none')}</Note>
  return (
    <ul className="pr-plans">
      {of.plans.map((plan, i) => (
        <li key={plan.key} data-main={i === 0 ? '' : undefined}>
          <h2>
            <bdi>{plan.title}</bdi>
          </h2>
          <p className="for" dir="auto">
            {plan.text}
          </p>
          <Price agorot={plan.priceAgorot}>
            {plan.everyN === 1 ? t('billing.aMonth') : t('billing.everyMonths', { count: plan.everyN })}
          </Price>
          <ul>
            {plan.includes
              .filter((name) => name !== plan.title)
              .map((name) => (
                <Line key={name}>
                  <bdi>{name}</bdi>
                </Line>
              ))}
            <Holds of={of.limits} />
            {plan.trialDays > 0 && <Line>{t('pricing.trial', { count: plan.trialDays })}</Line>}
            {plan.modules.map(({ id, name, priceAgorot }) => (
              <Line key={id}>
                <bdi>{name}</bdi> + <Money amount={priceAgorot} />
              </Line>
            ))}
          </ul>
          <Take plan={plan.key} main={i === 0} />
        </li>
      ))}
    </ul>
  )
}

type Limits = z.output<typeof pricing.output>['limits']

/** What the product includes in every plan. */
function Holds({ of }: { of: Limits }) {
  const t = useWords()
  return (
    <>
      <Line>
        {of.documents === null ? t('pricing.allDocuments') : t('pricing.documents', { count: of.documents })}
      </Line>
      <Line>{of.users === null ? t('pricing.allUsers') : t('pricing.users', { count: of.users })}</Line>
      <Line>{t('pricing.companies', { count: of.companies })}</Line>
      <Rest of={of} />
    </>
  )
}

/** Room for files and calls of programs. */
function Rest({ of }: { of: Limits }) {
  const t = useWords()
  return (
    <>
      <Line>{t('pricing.room', { room: fileSize(of.roomBytes), more: fileSize(of.moreRoomBytes) })}</Line>
      <Line>{t('pricing.calls', { count: of.callsPerMinute })}</Line>
    </>
  )
}

function Listed({ limits }: { limits: Limits }) {
  const t = useWords()
  return (
    <>
      <Note>{t('pricing.off')}</Note>
      <ul className="pr-plans">
        {plans.map(({ name, monthAgorot, documents, users, companies }) => (
          <li key={name} data-main={name === 'business' ? '' : undefined}>
            <h2>{t(`pricing.plan.${name}`)}</h2>
            <p className="for">{t(`pricing.plan.${name}.for`)}</p>
            <Price agorot={monthAgorot}>{t('pricing.month')}</Price>
            <ul>
              {[
                documents === undefined
                  ? t('pricing.allDocuments')
                  : t('pricing.documents', { count: documents }),
                t('pricing.users', { count: users }),
                t('pricing.companies', { count: companies }),
                ...[1, 2].map((n) => t(`pricing.plan.${name}.has${n}`)),
              ].map((line) => (
                <Line key={line}>{line}</Line>
              ))}
              <Rest of={limits} />
            </ul>
            <Take main={name === 'business'} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Price({ agorot, children }: { agorot: number; children: string }) {
  return (
    <p className="price">
      <bdi className="num">
        <span className="sg">₪</span>
        {formatMoney(agorot).replace(/\.00$/, '')}
      </bdi>{' '}
      <span>{children}</span>
    </p>
  )
}

function Line({ children }: { children: ReactNode }) {
  return (
    <li>
      <Icon of={Check} />
      <span>{children}</span>
    </li>
  )
}
