import { Ellipsis, Plug, Plus, Power } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { Menu } from './Menu.tsx'
import './offers.css'

/**
 * One that is connected: where it is looked at, how it is doing, and how it is turned off or on from here, by
 * the person who may.
 */
export interface Connected {
  key: string
  name: string
  href: string
  state: ReactNode
  power?: { label: string; onPress: () => void } | false
}

export interface Offer {
  key: string
  name: string
  /** What it does, in a line. */
  text?: ReactNode
  have: readonly Connected[]
  /** For the person who may connect: the words for the first and for one more, and where it leads. */
  connect?: ({ first: string; another: string } & ({ href: string } | { onPress: () => void })) | false
}

/**
 * What can be connected: what it is, what it costs beside the plan, what of it is connected and how that is
 * doing.
 */
export function Offers({ of }: { of: readonly Offer[] }) {
  const t = useWords()
  return (
    <ul className="k-offers">
      {of.map(({ key, name, text, have, connect }) => (
        <li key={key}>
          <div className="what">
            <strong>{name}</strong>
            {text && <span className="hint">{text}</span>}
          </div>
          <div className="have">
            {have.length === 0 && <span className="hint">{t('kit.offers.none')}</span>}
            {have.map((one) => (
              <span key={one.key} className="one">
                <Link className="aim" href={one.href}>
                  <bdi>{one.name}</bdi> {one.state}
                </Link>
                {one.power && (
                  <Menu
                    items={[{ key: 'power', icon: Power, ...one.power }]}
                    trigger={
                      <Button
                        kind="quiet"
                        size="s"
                        icon={Ellipsis}
                        label={t('kit.table.actionsOf', { name: one.name })}
                      />
                    }
                  />
                )}
              </span>
            ))}
            <span className="hint">{t('kit.offers.price')}</span>
          </div>
          {connect && (
            <div className="do">
              <Connect isFirst={have.length === 0} {...connect} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

function Connect({
  isFirst,
  first,
  another,
  ...to
}: { isFirst: boolean } & Exclude<Offer['connect'], false | undefined>) {
  return (
    <Button kind={isFirst ? 'soft' : 'quiet'} size="s" icon={isFirst ? Plug : Plus} {...to}>
      {isFirst ? first : another}
    </Button>
  )
}
