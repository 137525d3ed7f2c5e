import { useEffect, useRef } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { getJob, type Job } from '../endpoints.ts'

export const isUnderWay = (job: Job | undefined): boolean =>
  job?.state === 'waiting' || job?.state === 'running'

const askEveryMs = 500

/**
 * A long job while it runs; `onEnd` is called once, when it has ended. Also for a job that was over before the first
 * read: its starter still shows the earlier state.
 */
export function useJob(id: string, onEnd?: (job: Job) => void): Job | undefined {
  const { data } = useCall(
    getJob,
    { id },
    {
      refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : askEveryMs),
      staleTime: 0,
    },
  )
  const ended = useRef('')
  const told = useRef(onEnd)
  useEffect(() => void (told.current = onEnd))
  useEffect(() => {
    if (!data || isUnderWay(data) || ended.current === data.id) return
    ended.current = data.id
    told.current?.(data)
  }, [data])
  return data
}
