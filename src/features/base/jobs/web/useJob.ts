import { useEffect, useRef } from 'react'
import { useCall } from '#kit/web/call.ts'
import { getJob, type Job } from '../endpoints.ts'

export const isUnderWay = (job: Job | undefined): boolean =>
  job?.state === 'waiting' || job?.state === 'running'

const askEveryMs = 500

/**
 * A piece of long work as it goes on; `onEnd` is told once, when it has ended. Also of work that was over
 * before the first look: the person who began it still shows what was before.
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
