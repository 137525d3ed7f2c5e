import { FileText } from 'lucide-react'
import { yearOf } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { callFile, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { houseLogo, housePage, housePaper } from '../endpoints.ts'
import { monthHead } from './house.ts'
import { DebtLine, LevyCard } from './publicCards.tsx'
import './committee.css'

/**
 * Walls of glass: what came into the house and what was spent on what, with the papers, for the person who has the
 * link.
 */
export function Screen() {
  const t = useWords()
  const thisYear = yearOf(useToday())
  const { lang } = useLanguage()
  const { params, query, setQuery } = usePlace()
  const key = params.key ?? ''
  const asked = useCall(
    housePage,
    { key, ...(query.year ? { year: Number(query.year) } : {}) },
    { refetchOnWindowFocus: false, staleTime: 60_000 },
  )
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={houseLogo}
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
            {data.treasurer && <p className="sub">{t('committee.treasurerIs', { name: data.treasurer })}</p>}
          </Lead>
          {data.firstYear < data.year + 1 && thisYear > data.firstYear && (
            <Views
              chips
              label={t('committee.years')}
              value={String(data.year)}
              onChange={(year) => setQuery({ year })}
              views={Array.from({ length: thisYear - data.firstYear + 1 }, (_, i) =>
                String(data.firstYear + i),
              ).map((year) => ({ key: year, label: year }))}
            />
          )}
          <Card title={t('committee.public.months')} flush>
            <ul className="vd-list">
              {data.months.map((one) => (
                <li key={one.month}>
                  <span>{monthHead(one.month, lang)}</span>
                  <span>
                    {t('committee.public.came')} <MoneyCell value={one.cameAgorot} /> ·{' '}
                    {t('committee.public.went')} <MoneyCell value={one.wentAgorot} />
                  </span>
                </li>
              ))}
            </ul>
          </Card>
          <Card title={t('committee.public.spent')} flush>
            <ul className="vd-list">
              {data.spent.length === 0 && <li>{t('committee.expense.none')}</li>}
              {data.spent.map((one, i) => (
                <li key={i}>
                  <span className="what">
                    <bdi>{one.said}</bdi>
                    <span className="hint text-12">
                      <Num>{formatDay(one.day)}</Num>
                    </span>
                  </span>
                  <span>
                    {one.files.map((file) => (
                      <Button
                        key={file.id}
                        size="s"
                        kind="quiet"
                        icon={FileText}
                        onPress={() => void callFile(housePaper, { key, fileId: file.id }, { open: true })}
                      >
                        {t('committee.public.paper')}
                      </Button>
                    ))}
                    <MoneyCell value={one.agorot} />
                  </span>
                </li>
              ))}
            </ul>
          </Card>
          <LevyCard levies={data.levies} />
          <Card title={t('committee.debts')} flush>
            <ul className="vd-list">
              <li>
                <span>{t('committee.flatsOwe', { count: data.debts.flats })}</span>
                <MoneyCell value={data.debts.agorot} />
              </li>
              {data.debts.names?.map((one) => (
                <DebtLine key={one.flat + one.name} {...one} />
              ))}
            </ul>
          </Card>
        </>
      )}
    </BusinessPage>
  )
}
