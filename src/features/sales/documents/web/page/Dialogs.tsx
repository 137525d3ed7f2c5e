import { useId, useState, type FormEvent } from 'react'
import { labelOf } from '#domain/documents/kinds.ts'
import { call, failureText, fieldErrors } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { cancelDocument, type DocumentAnswer } from '../../endpoints.ts'
import { pagePath, typeById } from '../../types/index.ts'
import { refreshDocuments } from './actions.tsx'
import { documentNoun } from '../nouns.ts'
import { documentName } from '../words.ts'

export interface DialogOf {
  document: DocumentAnswer
  onClose: () => void
}

/** What cancelling will do: credit the whole, turn the money back, both, or only mark. */
const wayOf = (document: DocumentAnswer): 'credit' | 'both' | 'money' | 'mark' => {
  const type = typeById(document.type)
  if (type?.cancelledBy) return document.payments.length > 0 ? 'both' : 'credit'
  return type?.cancelledByItself ? 'money' : 'mark'
}

/**
 * The consequence with its sum, a reason, and no way back; leads to the paper, or `stays` where many stand.
 */
export function CancelDialog({ document, stays, onClose }: DialogOf & { stays?: boolean }) {
  const t = useWords()
  const form = useId()
  const [reason, setReason] = useState('')
  const [said, setSaid] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = documentName(t, document.type, document.number, labelOf(document))
  const way = wayOf(document)
  const cancel = async (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setSaid(t('documents.page.reasonNeeded'))
    setBusy(true)
    setProblem(undefined)
    try {
      const noun = documentNoun(t, document.type, document.number, labelOf(document))
      const credit = await call(cancelDocument, { id: document.id, reason: reason.trim() })
      void refreshDocuments()
      onClose()
      if (!stays) go(pagePath(credit.type, credit.id))
      banner.success(
        credit.id === document.id
          ? t('documents.page.marked', { name: noun })
          : t('documents.page.cancelled', {
              name: noun,
              credit: documentNoun(t, credit.type, credit.number),
            }),
        10_000,
      )
    } catch (e) {
      const { fields, rest } = fieldErrors(t, e, ['reason'])
      setSaid(fields.reason)
      setProblem(rest ?? (fields.reason ? undefined : failureText(t, e)))
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      role="alertdialog"
      form
      title={t('documents.page.cancelAsk', { name })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="danger" type="submit" form={form} busy={busy}>
            {t(way === 'credit' ? 'documents.page.cancelDo' : 'documents.page.cancel')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" onSubmit={(event) => void cancel(event)} noValidate>
        <p className="sub">
          {t(way === 'credit' ? 'documents.page.cancelText' : `documents.cancel.${way}`)}{' '}
          {way !== 'mark' && (document.totals.totalAgorot as number | null) !== null && (
            <b className="text-ink font-medium">
              <Money amount={document.totals.totalAgorot} currency={document.currency} />
            </b>
          )}
          <br />
          {t(
            way === 'credit'
              ? 'documents.page.cancelForGood'
              : way === 'mark'
                ? 'documents.cancel.markForGood'
                : 'documents.cancel.forGood',
          )}
        </p>
        {problem && <Note tone="late">{problem}</Note>}
        <TextField
          label={t('documents.page.reason')}
          hint={way === 'mark' ? undefined : t('documents.page.reasonHint')}
          autoFocus
          value={reason}
          onChange={(next) => {
            setReason(next)
            setSaid(undefined)
          }}
          error={said}
          max={300}
        />
      </form>
    </Dialog>
  )
}
