import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { Link } from 'react-aria-components/Link'
import { payByTenant, tenantLogo, tenantPage } from '../endpoints.ts'
import './committee.css'

/** A tenant's page: debts and payments, for this tenant only. */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const key = params.key ?? ''
  const asked = useCall(tenantPage, { key }, { staleTime: 30_000 })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={tenantLogo}
      title={(data) => data.house}
      missing={{ title: t('committee.public.gone'), text: t('committee.public.goneText') }}
    >
      {(data) => (
        <>
          <Lead
            label={data.house}
            title={t(data.openAgorot > 0 ? 'committee.tenant.owes' : 'committee.tenant.clear', {
              name: data.name,
            })}
            {...(data.openAgorot > 0 ? { sum: <Money amount={data.openAgorot} /> } : {})}
          >
            <p className="sub">
              <bdi>{data.house}</bdi>
              {data.flats.map((one, i) => (
                <span key={i}>
                  {' '}
                  · {t('committee.flat')} <Num>{one.flat}</Num>
                </span>
              ))}
            </p>
            {data.openAgorot > 0 && data.paysOnline && <Pay pageKey={key} />}
            {data.treasurer && <p className="sub">{t('committee.treasurerIs', { name: data.treasurer })}</p>}
          </Lead>
          <Card title={t('committee.tenant.dues')} flush>
            <ul className="vd-list">
              {data.dues.length === 0 && <li>{t('committee.tenant.noDues')}</li>}
              {data.dues.map((one, i) => (
                <li key={i}>
                  <span className="what">
                    <span>
                      <Num>{`${one.month.slice(5, 7)}/${one.month.slice(0, 4)}`}</Num>
                      {one.what && (
                        <>
                          {' '}
                          · <bdi>{one.what}</bdi>
                        </>
                      )}
                    </span>
                    <span className="hint text-12">
                      {t('committee.flat')} <Num>{one.flat}</Num> ·{' '}
                      {one.paidAgorot >= one.agorot
                        ? t('committee.tenant.paid')
                        : one.isAhead
                          ? t('committee.tenant.ahead')
                          : one.paidAgorot > 0
                            ? t('committee.tenant.part')
                            : t('committee.tenant.open')}
                      {!one.isMine && ` · ${t('committee.tenant.other')}`}
                    </span>
                  </span>
                  <MoneyCell value={one.agorot} />
                </li>
              ))}
            </ul>
          </Card>
          {data.paid.length > 0 && (
            <Card title={t('committee.tenant.payments')} flush>
              <ul className="vd-list">
                {data.paid.map((one, i) => (
                  <li key={i}>
                    <span className="what">
                      <Num>{formatDay(one.day)}</Num>
                      <span className="hint text-12">
                        {t('committee.flat')} <Num>{one.flat}</Num>
                        {one.receipt !== null && (
                          <>
                            {' '}
                            · {t('documents.types.receipt')} <Num>{one.receipt}</Num>
                          </>
                        )}
                      </span>
                    </span>
                    <MoneyCell value={one.agorot} />
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {data.housePage && (
            <p>
              <Link className="link aim" href={data.housePage}>
                {t('committee.tenant.house')}
              </Link>
            </p>
          )}
        </>
      )}
    </BusinessPage>
  )
}

function Pay({ pageKey }: { pageKey: string }) {
  const t = useWords()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>()
  const pay = async () => {
    setBusy(true)
    setFailed(undefined)
    try {
      const { url } = await call(payByTenant, { key: pageKey })
      location.assign(url)
    } catch (e) {
      setFailed(e)
      setBusy(false)
    }
  }
  return (
    <>
      <Button kind="primary" icon={CreditCard} busy={busy} onPress={() => void pay()}>
        {t('committee.tenant.pay')}
      </Button>
      {failed !== undefined && <Note tone="late">{failureText(t, failed)}</Note>}
    </>
  )
}
