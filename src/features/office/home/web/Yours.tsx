import { useEffect, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { afterFirstScreen } from '#kit/web/hooks/useWhenIdle.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { cashForecast } from '#features/books/budget/endpoints.ts'
import type { homePage } from '../endpoints.ts'

type Facts = NonNullable<OutputOf<typeof homePage>['yours']>

/**
 * What lies in the bank and the till, what of it is somebody else's, and what is left: each line opens what
 * it is made of.
 */
export function Yours({ yours: { cashAgorot, parts, yoursAgorot, open } }: { yours: Facts }) {
  const t = useWords()
  const may = useCan()
  return (
    <Card title={t('home.yours.title')}>
      <p className="home-yours" data-short={yoursAgorot < 0 ? '' : undefined}>
        <Money amount={yoursAgorot} whole />
      </p>
      <p className="hint text-13">{t(yoursAgorot < 0 ? 'home.yours.short' : 'home.yours.hint')}</p>
      <ul className="home-parts">
        <li>
          <Link href={open}>
            <span>{t('home.yours.cash')}</span>
            <MoneyCell value={cashAgorot} zero="show" />
          </Link>
        </li>
        {parts.map(({ part, sumAgorot, open: lines }) => (
          <li key={part}>
            <Link href={lines}>
              <span>{t(`home.yours.part.${part}`)}</span>
              <MoneyCell value={-sumAgorot} zero="show" />
            </Link>
          </li>
        ))}
      </ul>
      {may('forecast.see') && <Ahead />}
    </Card>
  )
}

/**
 * The lowest point of the coming days, a line that links to them. It is calculated once the page is shown; its room
 * is reserved, so that nothing moves.
 */
function Ahead() {
  const t = useWords()
  const [stands, setStands] = useState(false)
  useEffect(() => void afterFirstScreen().then(() => setStands(true)), [])
  const { data } = useCall(cashForecast, { brief: true }, { enabled: stands, staleTime: 10 * 60_000 })
  const text = data
    ? t(data.lowest.day === data.today ? 'home.yours.lowestNow' : 'home.yours.lowest', {
        day: formatDay(data.lowest.day).slice(0, 5),
      })
    : t('home.yours.ahead')
  return (
    <Link
      href="/invoice/cashforecast"
      className="link home-ahead"
      data-short={data && data.lowest.agorot < 0 ? '' : undefined}
    >
      <span className="cut" title={text}>
        {text}
      </span>
      {data && <MoneyCell value={data.lowest.agorot} zero="show" />}
    </Link>
  )
}
