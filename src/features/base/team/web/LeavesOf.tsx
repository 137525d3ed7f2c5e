import { useCall } from '#kit/web/calls/call.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listLeaves } from '../endpoints.ts'

/** What works with the rights of a person and ends or stops with that person; for the question before. */
export function LeavesOf({ userId, deed }: { userId: string; deed: 'block' | 'remove' }) {
  const t = useWords()
  const { data } = useCall(listLeaves, { userId }, { staleTime: 0 })
  if (!data?.rows.length) return null
  const kept = deed === 'remove' ? data.rows.filter(({ continues }) => continues) : []
  const named = (rows: typeof data.rows) =>
    rows.map(({ kind, name }) => [t(`team.leaves.kinds.${kind}`), name].filter(Boolean).join(': ')).join(', ')
  const ended = data.rows.filter((one) => !kept.includes(one))
  return (
    <>
      {ended.length > 0 && <p>{t(`team.leaves.with.${deed}`, { what: named(ended) })}</p>}
      {kept.length > 0 && <p>{t('team.leaves.handedOver', { what: named(kept) })}</p>}
    </>
  )
}
