import { FileSpreadsheet } from 'lucide-react'
import { failureText, useSend } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { ProgressRow } from '#kit/web/parts/ProgressRow.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getJob, listJobs, stopJob, type Job } from '../endpoints.ts'
import { isUnderWay, useJob } from './useJob.ts'

/** A line of long work that follows it: how far, stop, and where its result is. */
export function JobProgress({
  id,
  onEnd,
  opens = false,
}: {
  id: string
  onEnd?: (job: Job) => void
  opens?: boolean
}) {
  const job = useJob(id, onEnd)
  return job ? <JobLine job={job} opens={opens} /> : null
}

export function JobLine({ job, opens }: { job: Job; opens: boolean }) {
  const t = useWords()
  const stop = useSend(stopJob, {
    refresh: [getJob, listJobs],
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const { kind, about, state, done, total, stopping, error } = job
  const underWay = isUnderWay(job)
  const share = underWay && total ? Math.floor((done / total) * 100) : undefined
  const note = error
    ? t(`errors.${error.code}`, error.params)
    : stopping
      ? t('jobs.stopping')
      : share === undefined
        ? t(`jobs.state.${state}`)
        : t('jobs.percent', { percent: share })
  const href = typeof about.href === 'string' ? about.href : undefined
  return (
    <ProgressRow
      title={t(`jobs.kinds.${kind}`, about)}
      icon={FileSpreadsheet}
      {...(underWay
        ? total
          ? { done, total }
          : {}
        : { done: state === 'done' ? 1 : done, total: state === 'done' ? 1 : Math.max(total ?? 1, 1) })}
      note={note}
      failed={state === 'failed'}
      {...(underWay && !stopping ? { onStop: () => stop.mutate({ id: job.id }) } : {})}
      action={
        opens &&
        href && (
          <Button kind="quiet" size="s" href={href}>
            {t('jobs.open')}
          </Button>
        )
      }
    />
  )
}
