import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { listReports } from '#kit/web/screens/reportCalls.ts'
import { useReportRows } from '#kit/web/screens/reportRows.tsx'
import { hubPath } from '#kit/web/screens/ReportScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listPlans } from '#features/reports/reportPlans/endpoints.ts'
import { listShares } from '#features/reports/reportShares/endpoints.ts'

const mostOften = 6

/**
 * The reports of one person: starred, often opened, saved questions, scheduled and shared ones; then all of them
 * by group. Brings the words of: reports
 */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { isStarred, weight, list } = useReportRows()
  const { data, error, refetch } = useCall(listReports, {}, { staleTime: 10 * 60_000 })
  const given = useCall(listShares, {}, { enabled: may('reportShares.give') })
  const shares = given.data?.rows.filter(({ state }) => state === 'open') ?? []
  const planned = useCall(listPlans, {})
  const plans = planned.data?.rows ?? []
  const rows = data?.rows ?? []
  const starred = rows.filter(isStarred)
  const often = rows
    .filter((one) => weight(one) > 0 && !isStarred(one))
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, mostOften)
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
        // The cards fill columns: one that arrives later would move all that follow.
        <Together waits={given.isLoading || planned.isLoading}>
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
                  {t('reports.until')} <Num>{formatDay(one.expiresOn)}</Num> ·{' '}
                  {t('reports.views', { count: one.views })}
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
        </Together>
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
