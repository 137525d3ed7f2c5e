import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { useWords } from '../words.tsx'
import { Button } from './Button.tsx'
import { Menu, type MenuEntry } from './Menu.tsx'
import './offers.css'

/** One that is connected: where it is looked at, how it is doing, and what can be done with it from here. */
export interface Connected {
  key: string
  name: string
  href: string
  state: ReactNode
  deeds?: MenuEntry[]
}

export interface Offer {
  key: string
  name: string
  /** What it does, in a line. */
  text?: ReactNode
  have: readonly Connected[]
  /** Its button, for whoever may connect. */
  connect?: ReactNode
}

/** What can be connected: what it is, what it costs beside the plan, what of it is connected and how that is doing. */
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
                {one.deeds && one.deeds.length > 0 && (
                  <Menu
                    items={one.deeds}
                    trigger={<Button kind="quiet" size="s" icon={Ellipsis} label={t('kit.table.actionsOf', { name: one.name })} />}
                  />
                )}
              </span>
            ))}
            <span className="hint">{t('kit.offers.price')}</span>
          </div>
          {connect && <div className="do">{connect}</div>}
        </li>
      ))}
    </ul>
  )
}
