import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listBatches } from '../endpoints.ts'
import { Grid } from './Grid.tsx'
import { batchesPath } from './state.tsx'

/** Journal lines are typed here; the first one opens a batch. What was begun before is offered. */
export function Screen() {
  const t = useWords()
  const id = usePlace().query.batch
  // A batch that gets its name while it is typed stays the same; leaving one for a new one begins again.
  const [at, setAt] = useState({ id, turn: 0 })
  if (at.id !== id) setAt({ id, turn: at.id === undefined ? at.turn : at.turn + 1 })
  const { data } = useCall(listBatches, { state: 'open', size: 10 }, { enabled: id === undefined })
  const begun =
    id === undefined
      ? data?.rows.find(({ kind, lines }) => (kind === 'typed' || kind === 'imported') && lines > 0)
      : undefined
  return (
    <>
      {begun && (
        <Note
          tone="info"
          action={
            <Link className="link aim" href={`${batchesPath}/${begun.id}`}>
              {t('journal.begun.go')}
            </Link>
          }
        >
          {t('journal.begun.text', { number: String(begun.number), count: begun.lines })}
        </Note>
      )}
      <Grid key={at.turn} {...(id ? { id } : {})} />
    </>
  )
}
