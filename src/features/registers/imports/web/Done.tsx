import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { failureText, useSend } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { resourceNamed } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { undoImport } from '../endpoints.ts'
import type { Whole } from './whole.ts'
import { Counts, Results } from './Judged.tsx'

/** What was brought in, and the way back. */
export function Done({ one, onChange }: { one: Whole; onChange: (next: Whole) => void }) {
  const t = useWords()
  const [asks, setAsks] = useState(false)
  const undo = useSend(undoImport, {
    onSuccess: onChange,
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const { create = 0, change = 0, undone = 0, refused = 0 } = one.counts
  const list = resourceNamed(one.resource)?.screens.list
  return (
    <>
      {one.state === 'undone' ? (
        <Note tone={refused ? 'wait' : 'done'}>
          {t('imports.wasUndone', { count: undone })}{' '}
          {refused > 0 && t('imports.wasRefused', { count: refused })}
        </Note>
      ) : (
        <Note tone={one.state === 'stopped' ? 'wait' : 'done'}>
          {t(one.state === 'stopped' ? 'imports.wasStopped' : 'imports.wasDone', { count: create + change })}
        </Note>
      )}
      <Counts one={one} />
      <Results one={one} />
      <div className="im-acts">
        {list && (
          <Button kind="primary" href={list}>
            {t('imports.toList')}
          </Button>
        )}
        {one.mayUndo && (
          <Button icon={Undo2} m onPress={() => setAsks(true)}>
            {t('imports.undo')}
          </Button>
        )}
        <Button kind="quiet" href={`/invoice/tools/import/${one.resource}`}>
          {t('imports.another')}
        </Button>
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('imports.undoQuestion')}
        verb={t('imports.undo')}
        danger
        onConfirm={() => undo.mutateAsync({ id: one.id })}
      >
        <p>{t('imports.undoText', { create, change })}</p>
      </Question>
    </>
  )
}
