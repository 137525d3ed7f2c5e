import { Archive, Download } from 'lucide-react'
import { useState } from 'react'
import { useToday } from '#kit/web/hooks/clock.ts'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { failureText, keyOf, queryClient, useCall, useSend } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { ProgressRow } from '#kit/web/parts/ProgressRow.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { PeriodWords } from '#kit/web/screens/PeriodChoice.tsx'
import { periodIn } from '#kit/web/screens/periods.ts'
import { hubPath, ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { JobProgress } from '#features/base/jobs/web/index.tsx'
import { listArchives, makeArchive, type ExpenseArchive } from '../endpoints.ts'
import { fetchArchive } from './fetchArchive.ts'

/**
 * The pictures of the expenses of a period: which month lacks some, and all of them as one archive with their
 * list.
 */
export function Screen() {
  const t = useWords()
  const today = useToday()
  const { query } = usePlace()
  const hidden = useSession()?.HideTotalPrices
  const period = periodIn(query, today)
  const [jobId, setJobId] = useState<string>()
  const make = useSend(makeArchive, { onSuccess: (made) => setJobId(made.jobId) })
  const archives = useCall(listArchives, {}, { enabled: !hidden })
  const ready = (archives.data?.rows ?? []).filter(({ isReady }) => isReady)
  return (
    <>
      <PageHeader
        title={t('screens.expensesBackup')}
        sub={t('expensesBackup.sub')}
        crumbs={[{ label: t('kit.reports.toHub'), href: hubPath }]}
        actions={
          !hidden && (
            <Button
              kind="primary"
              icon={Archive}
              busy={make.isPending}
              onPress={() =>
                make.mutate({ ...period, ...(query.supplier ? { supplier: query.supplier } : {}) })
              }
            >
              {t('expensesBackup.make')}
            </Button>
          )
        }
      />
      {make.error && <Note tone="late">{failureText(t, make.error)}</Note>}
      {jobId && (
        <JobProgress
          key={jobId}
          id={jobId}
          onEnd={() => void queryClient.invalidateQueries({ queryKey: keyOf(listArchives) })}
        />
      )}
      {ready.length > 0 && (
        <Card title={t('expensesBackup.ready')}>
          <ul className="grid gap-3 p-5">
            {ready.map((one) => (
              <ArchiveLine key={one.id} archive={one} />
            ))}
          </ul>
        </Card>
      )}
      <ReportScreen name="expensesBackup" bare main />
    </>
  )
}

/** One archive; what came of it stays when the line is cut, and the next press goes on from there. */
function ArchiveLine({ archive }: { archive: ExpenseArchive }) {
  const t = useWords()
  const [came, setCame] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await fetchArchive(archive, setCame)
      setCame(undefined)
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <li className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span>
          <b>
            <PeriodWords period={archive} />
          </b>{' '}
          {archive.supplier && <bdi>· {archive.supplier} </bdi>}
          <span className="sub">
            {t('expensesBackup.holds', { files: archive.files, without: archive.without })} ·{' '}
            <bdi>{fileSize(archive.bytes)}</bdi>
          </span>
        </span>
        <Button kind="soft" size="s" icon={Download} busy={busy} onPress={() => void download()}>
          {t(problem ? 'expensesBackup.goOn' : 'expensesBackup.download')}
        </Button>
      </div>
      {came !== undefined && (
        <ProgressRow
          title={t('expensesBackup.downloading')}
          icon={Archive}
          done={came}
          total={archive.bytes}
          note={fileSize(came)}
          failed={!!problem}
        />
      )}
      {problem && <Note tone="late">{problem}</Note>}
    </li>
  )
}
