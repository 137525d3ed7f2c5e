import { Star } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import type { ReportListing } from '#kit/describe/report.ts'
import { Icon } from '../parts/Icon.tsx'
import { mayDo, useModules, useSession } from '../session/session.ts'
import { menuOf } from '../shell/menu.ts'
import { weightOf } from '../shell/opened.ts'
import { usePins } from '../shell/pins.ts'
import { useWords } from '../words/words.tsx'
import './screens.css'

export interface ReportRows {
  isStarred: (one: ReportListing) => boolean
  /** How often it was opened. */
  weight: (one: ReportListing) => number
  /** Reports to open, each with its star; `isLong` says what each tells. */
  list: (of: readonly ReportListing[], isLong?: boolean) => ReactNode
}

/** A report is starred by the line of the menu that leads to it. Brings the words of: reports */
export function useReportRows(): ReportRows {
  const t = useWords()
  const session = useSession()
  const modules = useModules()
  const groups = useMemo(() => (session ? menuOf(session, mayDo, modules) : []), [session, modules])
  const { pins, toggle } = usePins(groups)
  const lines = useMemo(
    () => new Map(groups.flatMap(({ all }) => all.map((entry) => [entry.href, entry.name]))),
    [groups],
  )
  const nameOf = ({ path }: ReportListing) => lines.get(path)
  const isStarred = (one: ReportListing) => pins.includes(nameOf(one) ?? '')
  return {
    isStarred,
    weight: (one) => weightOf(nameOf(one) ?? '', []),
    list: (of, isLong = false) => (
      <ul className="k-rows">
        {of.map((one) => {
          const name = nameOf(one)
          const title = one.title ?? t(`${one.words}.title`)
          return (
            <li key={one.name} className="d-row">
              <Link href={one.path} className="d-hub-link">
                <span className="t">{title}</span>
                {isLong && <span className="s">{t(`${one.words}.text`)}</span>}
              </Link>
              {name && (
                <button
                  type="button"
                  className="d-star"
                  aria-pressed={isStarred(one)}
                  aria-label={t('kit.shell.pin', { name: title })}
                  onClick={() => toggle(name)}
                >
                  <Icon of={Star} size="s" />
                </button>
              )}
            </li>
          )
        })}
      </ul>
    ),
  }
}
