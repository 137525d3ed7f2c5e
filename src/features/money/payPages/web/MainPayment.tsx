import { CircleCheck, ExternalLink } from 'lucide-react'
import { formatDay } from '#domain/format.ts'
import { useCall } from '#kit/web/call.ts'
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
import { useWords } from '#kit/web/words.tsx'
import { pagePdf } from '#features/sales/documents/endpoints.ts'
import { documentName } from '#features/sales/documents/web/index.tsx'
import { mainPayment } from '../endpoints.ts'
import './editor.css'

/** What the business pays for the product: its plan, the next charge, the card, and invoices of the operator. */
export function Screen() {
  const t = useWords()
  const { data, error } = useCall(mainPayment, {}, { staleTime: 0 })
  if (error && !data) return <Failed error={error} />
  if (!data) return <Skeleton lines={6} />
  const { plan } = data
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
                <Button size="s" kind="soft" onPress={() => void window.open(plan.url, '_blank', 'noreferrer')}>
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
              <p className="pe-line">
                <Button icon={ExternalLink} onPress={() => void window.open(plan.url, '_blank', 'noreferrer')}>
                  {t('billing.manage')}
                </Button>
              </p>
            </Card>
          )}
          <Note>{t('billing.neverLocked')}</Note>
          {data.plans.length > 0 && (
            <Card title={t(isOver ? 'billing.choose' : 'billing.others')}>
              <ul className="pe-lines">
                {data.plans.map((one) => (
                  <li key={one.url}>
                    <span>
                      <b>
                        <bdi>{one.title}</bdi>
                      </b>{' '}
                      <span className="sub" dir="auto">
                        {one.text}
                      </span>
                    </span>
                    <span className="pe-line">
                      <span>
                        <Money amount={one.priceAgorot} />{' '}
                        {one.everyN === 1 ? t('billing.aMonth') : t('billing.everyMonths', { count: one.everyN })}
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
