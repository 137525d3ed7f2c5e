import { Check, Download } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { call, callFile, failureText, useCall } from '#kit/web/calls/call.ts'
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
import { handOverFile, handOverLogo, handOverPage, takeHandOver } from '../endpoints.ts'
import { DebtLine, LevyCard } from './publicCards.tsx'
import './committee.css'

/**
 * What the next committee takes over: the till, who lives there, who owes, what was decided, and all papers
 * as one file.
 */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const key = params.key ?? ''
  const asked = useCall(handOverPage, { key }, { refetchOnWindowFocus: false, staleTime: 60_000 })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={handOverLogo}
      title={(data) => data.house}
      missing={{ title: t('committee.public.gone'), text: t('committee.public.goneText') }}
    >
      {(data) => (
        <>
          <Lead
            label={data.house}
            title={t('committee.public.till', { house: data.house })}
            sum={<Money amount={data.balanceAgorot} />}
          >
            {data.reserveAgorot > 0 && (
              <p className="sub">
                {t('committee.public.reserve')} <MoneyCell value={data.reserveAgorot} />
              </p>
            )}
            <p className="sub">
              {t('committee.handOver.fromTo', { from: data.fromName, to: data.toName })} ·{' '}
              <Num>{formatDay(data.day)}</Num>
            </p>
            {data.address && (
              <p className="sub">
                <bdi>{data.address}</bdi>
              </p>
            )}
            <Deeds pageKey={key} takenAt={data.takenAt} onTaken={() => void asked.refetch()} />
            <p className="sub">
              {t('committee.handOver.papersCount', { count: data.papers })} ·{' '}
              {t('committee.handOver.openUntil', { day: formatDay(data.closesOn) })}
            </p>
          </Lead>
          {data.things && (
            <Card title={t('committee.handOver.things')}>
              <p className="vd-said" dir="auto">
                {data.things}
              </p>
            </Card>
          )}
          {data.rate && (
            <Card title={t('committee.rate.title')} flush>
              <ul className="vd-list">
                <li>
                  <span>{t(`committee.rule.${data.rate.rule}`)}</span>
                  {data.rate.rule === 'own' ? null : (
                    <span>
                      <Num>{formatMoney(data.rate.agorot)}</Num> {t('committee.aMonth')}
                    </span>
                  )}
                </li>
              </ul>
            </Card>
          )}
          <Card title={t('committee.debts')} flush>
            <ul className="vd-list">
              {data.debts.length === 0 && <li>{t('committee.flatsOwe', { count: 0 })}</li>}
              {data.debts.map((one, i) => (
                <DebtLine key={i} {...one} />
              ))}
            </ul>
          </Card>
          <LevyCard levies={data.levies} />
          <Card title={t('committee.handOver.residents')} flush>
            <ul className="vd-list">
              {data.residents.length === 0 && <li>{t('committee.noFlat')}</li>}
              {data.residents.map((one, i) => (
                <li key={i}>
                  <span>
                    <Num>{one.flat}</Num> · <bdi>{one.name}</bdi>
                  </span>
                  <span className="hint">
                    {t(`committeepeople.role.${one.role}`)}
                    {one.pays && ` · ${t('committeepeople.fields.pays')}`}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        </>
      )}
    </BusinessPage>
  )
}

function Deeds({
  pageKey,
  takenAt,
  onTaken,
}: {
  pageKey: string
  takenAt: string | null
  onTaken: () => void
}) {
  const t = useWords()
  const [busy, setBusy] = useState<'file' | 'take'>()
  const [failed, setFailed] = useState<unknown>()
  const during = async (what: 'file' | 'take', work: () => Promise<unknown>) => {
    setBusy(what)
    setFailed(undefined)
    try {
      await work()
    } catch (e) {
      setFailed(e)
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <>
      <span className="vd-acts">
        <Button
          kind="primary"
          icon={Download}
          busy={busy === 'file'}
          onPress={() => void during('file', () => callFile(handOverFile, { key: pageKey }))}
        >
          {t('committee.handOver.download')}
        </Button>
        {takenAt === null && (
          <Button
            icon={Check}
            busy={busy === 'take'}
            onPress={() =>
              void during('take', async () => {
                await call(takeHandOver, { key: pageKey })
                onTaken()
              })
            }
          >
            {t('committee.handOver.take')}
          </Button>
        )}
      </span>
      {takenAt !== null && (
        <p className="sub">
          {t('committee.handOver.takenOn', { day: formatDay(dayInJerusalem(new Date(takenAt))) })}
        </p>
      )}
      {failed !== undefined && <Note tone="late">{failureText(t, failed)}</Note>}
    </>
  )
}
