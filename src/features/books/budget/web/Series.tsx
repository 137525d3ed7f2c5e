import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { call, failureText } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { leaveOutSeries, type Forecast } from '../endpoints.ts'
import { refreshForecast } from './refresh.ts'

/** Bills that come back, as the last months tell; each can be left out. */
export function Series({ series, may }: { series: Forecast['series']; may: boolean }) {
  const t = useWords()
  if (series.length === 0) return null
  const put = async (key: string, isLeftOut: boolean) => {
    try {
      await call(leaveOutSeries, { key, isLeftOut })
      await refreshForecast()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <Card title={t('forecast.series.title')} hint={t('forecast.series.hint')}>
      <Rows>
        {series.map(({ key, who, what, rhythm, agorot, bills, nextDay, isLeftOut, open }) => (
          <div key={key} className="bu-line" data-off={isLeftOut ? '' : undefined}>
            <span className="what">
              <Link href={open} className="link aim">
                <bdi>{who}</bdi>
              </Link>
              <span className="hint text-13">
                {t('forecast.series.how', { what, rhythm: t(`forecast.rhythms.${rhythm}`), count: bills })}
                {nextDay && !isLeftOut && (
                  <>
                    {' · '}
                    {t('forecast.next')} <Num>{formatDay(nextDay)}</Num>
                  </>
                )}
              </span>
            </span>
            <Money amount={agorot} whole />
            <FlagField
              as="switch"
              hideLabel
              label={t('forecast.series.counts', { name: who })}
              value={!isLeftOut}
              disabled={!may}
              onChange={(counts) => void put(key, !counts)}
            />
          </div>
        ))}
      </Rows>
    </Card>
  )
}
