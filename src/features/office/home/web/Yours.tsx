import { Link } from 'react-aria-components/Link'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { useWords } from '#kit/web/words.tsx'
import type { homePage } from '../endpoints.ts'

type Facts = NonNullable<OutputOf<typeof homePage>['yours']>

/** What lies in the bank and the till, what of it is somebody else's, and what is left: each line opens what it is made of. */
export function Yours({ yours: { cashAgorot, parts, yoursAgorot, open } }: { yours: Facts }) {
  const t = useWords()
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
    </Card>
  )
}
