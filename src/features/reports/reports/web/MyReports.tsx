import { Star } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment } from '#domain/format.ts'
import type { ReportListing } from '#kit/describe/report.ts'
import { useCall } from '#kit/web/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { listReports } from '#kit/web/screens/reportCalls.ts'
import { hubPath } from '#kit/web/screens/ReportScreen.tsx'
import { mayDo, useCan, useModules, useSession } from '#kit/web/session.ts'
import { menuOf } from '#kit/web/shell/menu.ts'
import { weightOf } from '#kit/web/shell/opened.ts'
import { usePins } from '#kit/web/shell/pins.ts'
import { useWords } from '#kit/web/words.tsx'
import { listPlans } from '#features/reports/reportPlans/endpoints.ts'
import { listShares } from '#features/reports/reportShares/endpoints.ts'
import './reports.css'

const mostOften = 6

/** The reports of one person: those he starred, those he opens often, his own questions, what leaves by itself, what he gave away; then all of them by wing. Brings the words of: reports */
export function Screen() {
  const t = useWords()
  const session = useSession()
  const modules = useModules()
  const may = useCan()
  const groups = useMemo(() => (session ? menuOf(session, mayDo, modules) : []), [session, modules])
  const { pins, toggle } = usePins(groups)
  const { data, error, refetch } = useCall(listReports, {}, { staleTime: 10 * 60_000 })
  const shares = useCall(listShares, {}, { enabled: may('reportShares.give') }).data?.rows.filter(({ state }) => state === 'open') ?? []
  const plans = useCall(listPlans, {}).data?.rows ?? []
  // A report is starred by the line of the menu that leads to it.
  const lines = useMemo(() => new Map(groups.flatMap(({ all }) => all.map((entry) => [entry.href, entry.name]))), [groups])
  const nameOf = ({ path }: ReportListing) => lines.get(path)
  const isPinned = (one: ReportListing) => pins.includes(nameOf(one) ?? '')
  const weight = (one: ReportListing) => weightOf(nameOf(one) ?? '', [])
  const rows = data?.rows ?? []
  const starred = rows.filter(isPinned)
  const often = rows
    .filter((one) => weight(one) > 0 && !isPinned(one))
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, mostOften)
  const list = (of: readonly ReportListing[], isLong = false): ReactNode => (
    <ul className="k-rows">
      {of.map((one) => {
        const name = nameOf(one)
        const title = one.title ?? t(`${one.words}.title`)
        return (
          <li key={one.name} className="mr-row">
            <Link href={one.path} className="d-hub-link">
              <span className="t">{title}</span>
              {isLong && !one.title && <span className="s">{t(`${one.words}.text`)}</span>}
            </Link>
            {name && (
              <button
                type="button"
                className="mr-star"
                aria-pressed={isPinned(one)}
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
  )
  const wings = [...new Set(rows.map((one) => one.group))].filter((group) => group !== 'own')
  const own = rows.filter(({ group }) => group === 'own')
  return (
    <>
      <PageHeader
        title={t('screens.myReports')}
        sub={t('reports.text')}
        actions={
          <>
            <Button href={hubPath}>{t('screens.allReports')}</Button>
            <Button kind="primary" href="/invoice/reportbuilder">
              {t('reports.ask')}
            </Button>
          </>
        }
      />
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : (
        <div className="d-hub">
          <Card title={t('reports.starred')}>
            {starred.length > 0 ? list(starred) : <p className="hint">{t('reports.noneStarred')}</p>}
          </Card>
          {often.length > 0 && <Card title={t('reports.often')}>{list(often)}</Card>}
          {own.length > 0 && <Card title={t('kit.reportGroups.own')}>{list(own)}</Card>}
          <Kept title={t('screens.reportPlans')} href="/invoice/reportplans" rows={plans}>
            {(one) =>
              one.isOn && one.nextAt ? (
                <>
                  {t('reports.leaves')} <Num>{formatMoment(new Date(one.nextAt))}</Num>
                </>
              ) : (
                t('reports.rests')
              )
            }
          </Kept>
          <Kept title={t('screens.reportShares')} href="/invoice/reportshares" rows={shares}>
            {(one) => (
              <>
                {t('reports.until')} <Num>{formatDay(one.expiresOn)}</Num> · {t('reports.views', { count: one.views })}
              </>
            )}
          </Kept>
          {wings.map((group) => (
            <Card key={group} title={t(`menu.${group}`)}>
              {list(
                rows.filter((one) => one.group === group),
                true,
              )}
            </Card>
          ))}
        </div>
      )}
    </>
  )
}

/** The first of what somebody does with reports, each with its one line; nothing where there is none. */
function Kept<R extends { id: string; title: string }>({
  title,
  href,
  rows,
  children,
}: {
  title: string
  /** Where all of them stand. */
  href: string
  rows: readonly R[]
  children: (one: R) => ReactNode
}) {
  const t = useWords()
  if (rows.length === 0) return null
  return (
    <Card
      title={title}
      end={
        <Link className="link aim text-13" href={href}>
          {t('reports.every')}
        </Link>
      }
    >
      <ul className="k-rows">
        {rows.slice(0, mostOften).map((one) => (
          <li key={one.id} className="mr-row">
            <Link href={href} className="d-hub-link">
              <span className="t">
                <bdi>{one.title}</bdi>
              </span>
              <span className="s">{children(one)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
