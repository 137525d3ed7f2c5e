import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'

interface Levy {
  name: string
  purpose: string
  decidedOn: string
  paidAgorot: number
  agorot: number
}

/** The special levies of a building, with how much of each is paid; nothing where there are none. */
export function LevyCard({ levies }: { levies: readonly Levy[] }) {
  const t = useWords()
  if (levies.length === 0) return null
  return (
    <Card title={t('screens.vaadExtra')} flush>
      <ul className="vd-list">
        {levies.map((one) => (
          <li key={one.name + one.decidedOn}>
            <span className="what">
              <bdi>{one.name}</bdi>
              <span className="hint text-12" dir="auto">
                {one.purpose}
              </span>
            </span>
            <span>
              <MoneyCell value={one.paidAgorot} /> {t('committee.public.of')} <MoneyCell value={one.agorot} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** A flat that owes, with whom it belongs to where that is known. */
export function DebtLine({ flat, name, agorot }: { flat: string; name: string | null; agorot: number }) {
  const t = useWords()
  return (
    <li>
      <span>
        <Num>{flat}</Num> · {name ? <bdi>{name}</bdi> : t('committee.nobody')}
      </span>
      <MoneyCell value={agorot} />
    </li>
  )
}
