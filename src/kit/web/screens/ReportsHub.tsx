import { Search, SearchX } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReportListing } from '#kit/describe/report.ts'
import { useCall } from '../calls/call.ts'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Failed } from '../parts/Failed.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Kbd } from '../parts/Kbd.tsx'
import { matches } from '../parts/matches.ts'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { useKeys } from '../parts/useKeys.ts'
import { go } from '../routes/place.ts'
import { useWords } from '../words/words.tsx'
import { listReports } from './reportCalls.ts'
import { useReportRows } from './reportRows.tsx'
import './screens.css'

/** Every report this person may open, by group, whichever feature it is of. Brings the words of: reports */
export function ReportsHub() {
  const t = useWords()
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const { data, error, refetch } = useCall(listReports, {}, { staleTime: 10 * 60_000 })
  useKeys({ '/': () => box.current?.focus() })
  const { list } = useReportRows()
  const title = (one: ReportListing) => one.title ?? t(`${one.words}.title`)
  const found = (data?.rows ?? []).filter(
    (one) => text.trim() === '' || matches(`${title(one)} ${t(`${one.words}.text`)}`, text),
  )
  const groups = [...new Set(found.map((one) => one.group))].map((group) => ({
    group,
    reports: found.filter((one) => one.group === group),
  }))
  return (
    <>
      <PageHeader title={t('screens.allReports')} />
      <div className="k-filters" role="search" aria-label={t('kit.reports.search')}>
        <div className="k-search">
          <Icon of={Search} size="s" />
          <input
            ref={box}
            type="search"
            dir="auto"
            autoComplete="off"
            aria-label={t('kit.reports.search')}
            placeholder={t('kit.reports.search')}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setText('')
              // The first hit is the one meant.
              if (event.key === 'Enter' && text.trim() !== '' && found[0]) go(found[0].path)
            }}
          />
          <Kbd keys="/" />
        </div>
      </div>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : groups.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={t('kit.reports.noneFound')}
          actions={
            text && (
              <Button kind="soft" onPress={() => setText('')}>
                {t('kit.actions.clear')}
              </Button>
            )
          }
        >
          {t('kit.reports.noneFoundText')}
        </EmptyState>
      ) : (
        <div className="d-hub">
          {groups.map(({ group, reports }) => (
            <Card key={group} title={t(group === 'own' ? 'kit.reportGroups.own' : `menu.${group}`)}>
              {list(reports, true)}
            </Card>
          ))}
        </div>
      )}
    </>
  )
}

export { ReportsHub as Screen }
