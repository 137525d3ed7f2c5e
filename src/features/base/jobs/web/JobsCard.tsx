import { useState } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { listJobs } from '../endpoints.ts'
import { JobLine } from './JobProgress.tsx'
import './jobs.css'
import { isUnderWay } from './useJob.ts'

const few = 5

/** The long work one has started, newest first; nothing at all while there is none. */
export function JobsCard() {
  const t = useWords()
  const [all, setAll] = useState(false)
  const { data } = useCall(
    listJobs,
    {},
    { refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? 1000 : false), staleTime: 0 },
  )
  const rows = data?.rows ?? []
  if (rows.length === 0) return null
  return (
    <Card title={t('jobs.title')}>
      <div className="jb-list">
        {rows.slice(0, all ? undefined : few).map((job) => (
          <JobLine key={job.id} job={job} opens />
        ))}
      </div>
      {rows.length > few && !all && (
        <Button kind="quiet" size="s" onPress={() => setAll(true)}>
          {t('jobs.all', { count: rows.length })}
        </Button>
      )}
    </Card>
  )
}
