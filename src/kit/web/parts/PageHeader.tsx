import { ChevronRight, Ellipsis } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { Menu, type MenuEntry } from './Menu.tsx'

export interface PageHeaderProps {
  title: ReactNode
  /** A number before the title, in lighter ink (a card's number). */
  number?: ReactNode
  /** A StatusPill beside the title. */
  status?: ReactNode
  /** One quiet line under the title. */
  sub?: ReactNode
  /** Only where a parent is useful; the page itself is not repeated. */
  crumbs?: { label: string; href?: string }[]
  /** At most one primary and two plain buttons. */
  actions?: ReactNode
  /** The rest, behind the three dots. */
  more?: MenuEntry[]
  /** Something before the title: an avatar, a tile. */
  start?: ReactNode
  /** Views or tabs under the title, on a hairline. */
  children?: ReactNode
}

/** The head of every page: where one is, what this is, what can be done. Only crumbs are above the title. */
export function PageHeader({
  title,
  number,
  status,
  sub,
  crumbs,
  actions,
  more,
  start,
  children,
}: PageHeaderProps) {
  const t = useWords()
  return (
    <div className="k-ph">
      {crumbs && crumbs.length > 0 && (
        <nav aria-label={t('kit.page.crumbs')}>
          <ol className="k-crumbs">
            {crumbs.map((crumb, i) => (
              <Fragment key={i}>
                <li>
                  {i > 0 && <Icon of={ChevronRight} size="s" m />}
                  {crumb.href ? <Link href={crumb.href}>{crumb.label}</Link> : <span>{crumb.label}</span>}
                </li>
              </Fragment>
            ))}
          </ol>
        </nav>
      )}
      <div className="k-ph-row">
        {start}
        <div className="what">
          <div className="k-ph-row">
            <h1>
              {number !== undefined && <bdi className="num no">{number}</bdi>}
              <bdi>{title}</bdi>
            </h1>
            {status}
          </div>
          {sub && <div className="text-13 text-ink-3">{sub}</div>}
        </div>
        {(actions || more) && (
          <div className="acts" data-few={actions ? undefined : ''}>
            {actions}
            {more && more.length > 0 && (
              <Menu
                items={more}
                trigger={<Button kind="quiet" icon={Ellipsis} label={t('kit.actions.more')} />}
              />
            )}
          </div>
        )}
      </div>
      {children}
    </div>
  )
}
